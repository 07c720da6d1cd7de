import { durationMs } from './duration';
import { validate } from '../../http/validation';
import { ApiError } from '../../shared/api-error';
import { boostTemplateSchema, defaultTemplate } from './template';

/** The paths of what a route would refuse. */
function mistakes(document: unknown): string[] {
  try {
    validate(boostTemplateSchema, document, 'body');
    return [];
  } catch (error) {
    return error instanceof ApiError ? (error.options.details ?? []).map(({ path }) => path) : [String(error)];
  }
}

describe('a boost template', () => {
  it('is whole where a document says only what it changes', () => {
    const template = boostTemplateSchema.parse({
      name: 'bold',
      strength: 50,
      affinities: { brand: { importance: 1 } },
    });
    expect(template).toEqual({
      ...defaultTemplate,
      name: 'bold',
      strength: 50,
      affinities: { ...defaultTemplate.affinities, brand: { importance: 1, curve: 'lift', k: 40 } },
    });
  });

  it('survives being stored and read back', () => {
    const again = boostTemplateSchema.parse(JSON.parse(JSON.stringify(defaultTemplate)));
    expect(again).toEqual(defaultTemplate);
  });

  it('is off for signals a document leaves out, on with defaults for `{}`', () => {
    const { signals } = boostTemplateSchema.parse({ signals: { rating: {} } });
    expect(signals).toEqual({ rating: { weight: 0.1 } });
  });

  it('names every mistake by its path', () => {
    const document = {
      strength: 101,
      maxBoots: 3,
      fields: { name: 'much', nmae: 1 },
      signals: { trend: { short: 'a while' } },
      affinities: { brand: { curve: 'cubic' } },
      shrink: { except: ['everything'] },
    };
    expect(mistakes(document).sort()).toEqual(
      [
        'affinities.brand.curve',
        'fields.name',
        'fields.nmae',
        'maxBoots',
        'shrink.except.0',
        'signals.trend.short',
        'strength',
      ].sort(),
    );
  });

  it.each([[null], [[]], ['default'], [{ maxBoost: Number.NaN }], [{ maxShare: 2 }]])('refuses %j', (document) => {
    expect(boostTemplateSchema.safeParse(document).success).toBe(false);
  });

  it('refuses fields that all weigh nothing', () => {
    const none = { name: 0, brand: 0, categories: 0, tags: 0, skus: 0, description: 0 };
    expect(mistakes({ fields: none })).toEqual(['fields']);
  });

  it('reads durations', () => {
    expect(durationMs('14d')).toBe(14 * 86_400_000);
    expect(durationMs('36h')).toBe(36 * 3_600_000);
    expect(mistakes({ signals: { freshness: { halfLife: '0d' } } })).toEqual(['signals.freshness.halfLife']);
  });
});
