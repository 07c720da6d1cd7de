import { Growable } from './growable';

const filled = (values: number): Growable<Uint32Array> => {
  const growable = Growable.ints();
  for (let value = 0; value < values; value++) growable.push(value);
  return growable;
};

test.each([1000, 100_000, 700_000])(
  'what %i values have grown to is little more than they need, and stays',
  (values) => {
    const growable = filled(values);
    growable.trim();
    const { data } = growable;
    expect(data.length).toBeLessThanOrEqual(values * (4 / 3));
    expect(data.subarray(0, values)).toEqual(Uint32Array.from({ length: values }, (_, value) => value));
    growable.trim();
    expect(growable.data).toBe(data);
  },
);

test.each([1000, 100_000, 700_000])('room that %i values have left behind is given back', (values) => {
  const growable = filled(values);
  growable.length = 10;
  growable.trim();
  expect([...growable.data]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
