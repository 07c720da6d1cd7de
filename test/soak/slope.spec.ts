import { slopeOf } from './slope';

test('the slope of a line is its slope, whatever lies evenly about it', () => {
  const line = Array.from({ length: 20 }, (_, at) => ({ at, value: 5 + 3 * at }));
  expect(slopeOf(line)).toBeCloseTo(3);
  const about = line.map(({ at, value }) => ({ at, value: value + (at % 4 === 0 || at % 4 === 3 ? 1 : -1) }));
  expect(slopeOf(about)).toBeCloseTo(3, 1);
  expect(slopeOf([{ at: 1, value: 7 }])).toBe(0);
});
