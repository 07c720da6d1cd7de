import { boundOf } from './tuning-commands';

test('bounds as they are written', () => {
  expect(boundOf('strength=20..90.5')).toEqual(['strength', [20, 90.5]]);
  expect(boundOf('affinities.brand@leaf.importance')).toEqual(['affinities.brand@leaf.importance', null]);
  for (const wrong of ['strength=', 'strength=5', 'strength=1..x', 'strength=..2', 'strength=1..2..3']) {
    expect(() => boundOf(wrong)).toThrow(`"${wrong}" is no bound`);
  }
});
