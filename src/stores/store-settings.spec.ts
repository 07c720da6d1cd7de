import { defaultSettings, mergeSettings, settingsSchema, storeSettings } from './store-settings';

describe('store settings', () => {
  it('have a default unless they are optional', () => {
    const always = Object.keys(defaultSettings);
    const optional = Object.keys(storeSettings.shape).filter((name) => !always.includes(name));
    expect(optional).toEqual(['facets', 'retention', 'searchLog', 'limits', 'showcase']);
  });

  it('are sent one by one, and nothing is added to what was sent', () => {
    expect(settingsSchema.parse({})).toEqual({});
    expect(settingsSchema.parse({ currency: 'eur', halfLife: { view: '7d' } })).toEqual({
      currency: 'EUR',
      halfLife: { view: '7d' },
    });
  });

  it.each([
    { unknown: 1 },
    { halfLife: { views: '7d' } },
    { language: null },
    { limits: { keysPerMinute: 0 } },
    { facets: [{ attribute: 'colour' }] },
  ])('refuse %j', (patch) => {
    expect(settingsSchema.safeParse(patch).success).toBe(false);
  });

  it('merge part by part, but facets as a whole; null removes an optional one alone', () => {
    const limited = mergeSettings(defaultSettings, { limits: { keysPerMinute: 5 }, facets: [{ attribute: 'brand' }] });
    const merged = mergeSettings(limited, {
      limits: { originPerMinute: 9 },
      facets: [{ attribute: 'price' }],
      halfLife: { cart: '5d' },
    });
    expect(merged).toEqual({
      ...defaultSettings,
      halfLife: { ...defaultSettings.halfLife, cart: '5d' },
      limits: { keysPerMinute: 5, originPerMinute: 9 },
      facets: [{ attribute: 'price' }],
    });
    const without = mergeSettings(merged, { limits: null, facets: null, homeUrl: null });
    expect(without).toEqual({ ...merged, limits: undefined, facets: undefined });
    expect(Object.keys(without)).not.toContain('limits');
  });

  it('get the defaults of settings that came later', () => {
    const { requireReplay: _requireReplay, ...older } = defaultSettings;
    expect(mergeSettings(defaultSettings, older)).toEqual(defaultSettings);
  });
});
