import { defaultSettings, mergeSettings } from '../../stores/store-settings';
import { decayedTo } from './personal-ranking';

const MINUTE = 60_000;
const settingsWith = (view: string) => ({ settings: mergeSettings(defaultSettings, { halfLife: { view } }) });

describe('the moment that weights are those of', () => {
  test.each([
    ['1d', 1],
    ['14d', 14],
    ['400d', 30],
  ])('of a store whose views have a half-life of %s it is the next multiple of %i minutes', (view, minutes) => {
    const store = settingsWith(view);
    const step = minutes * MINUTE;
    const end = 1000 * step;
    expect(decayedTo(end - step + 1, store)).toBe(end);
    expect(decayedTo(end, store)).toBe(end);
    expect(decayedTo(end + 1, store)).toBe(end + step);
  });
});
