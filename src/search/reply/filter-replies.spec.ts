import type { EngineResult, Facet } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import { defaultSettings } from '../../stores/store-settings';
import type { FacetSelection } from '../facets/parse-filters';
import type { FacetKey, FacetRegistry } from '../facets/facet-registry';
import { type FilterParts, FilterReplies, type FilterRequest } from './filter-replies';
import { linkContext } from './link-context';

/** Numbers what it is let, from 1 on. */
class Registry {
  readonly ids = new Map<FacetKey, number>();
  late: FacetKey | null = null;

  constructor(private readonly first: number) {}

  async idsKnown(_store: string, keys: FacetKey[]): Promise<Map<FacetKey, number>> {
    for (const key of keys) if (!this.ids.has(key) && key !== this.late) this.ids.set(key, this.first + this.ids.size);
    return this.ids;
  }
}

const brands = (...labels: string[]): EngineResult['facets'] => {
  const values = labels.map((label) => ({ key: label, label, parent: null, idO: label, size: 1 }));
  const brand: Facet = { kind: 'brand', of: 2, values };
  return { brand };
};
const storeOf = (id: string): Store => ({ id, apiKey: 'loja', settings: defaultSettings }) as Store;

interface Asked extends Pick<FilterRequest['result'], 'facets' | 'facetsName'> {
  terms?: string;
  store?: string;
}

describe('filters of replies that are asked for again', () => {
  let registry: Registry;
  let replies: FilterReplies;

  beforeEach(() => {
    registry = new Registry(1);
    replies = new FilterReplies(registry as unknown as FacetRegistry);
  });

  const replyTo = ({ terms = 'x', store = 's', ...result }: Asked): Promise<FilterParts> => {
    const sent = { terms };
    const context = linkContext('/search', sent, { parameters: sent, apiKey: 'loja' });
    const asked = { store: storeOf(store), selections: [], context, named: false, until: Infinity };
    return replies.of({ ...asked, result: { total: 2, ...result } });
  };
  const ask = async (asked: Asked): Promise<{ label: string; id: number; link: string }[]> => {
    const { filters } = await replyTo(asked);
    const [brand] = JSON.parse(filters.pieces.join('')) as {
      values: { label: string; id: number; applyLink: string }[];
    }[];
    return (brand?.values ?? []).map(({ label, id, applyLink }) => ({ label, id, link: applyLink }));
  };

  /** From the second time on it is kept. */
  const askAgain = async (asked: Asked): ReturnType<typeof ask> => {
    await ask(asked);
    return ask(asked);
  };

  test('are what they were, with the links of whoever asks', async () => {
    const [first] = await askAgain({ facets: brands('a', 'b'), facetsName: '1' });
    const [again] = await ask({ facets: brands('other'), facetsName: '1', terms: 'y' });
    expect([first?.label, first?.link]).toEqual([
      'a',
      `/search?terms=x&filter=${encodeURIComponent(`d:1:${first?.id}`)}`,
    ]);
    expect(again).toEqual({ ...first, link: first?.link.replace('terms=x', 'terms=y') });
  });

  test('take no memory the first time', async () => {
    const asked = { facets: brands('a', 'b'), facetsName: '1' };
    const first = await ask(asked);
    expect(replies.bytes).toBe(0);
    expect(await ask(asked)).toEqual(first);
    expect(replies.bytes).toBeGreaterThan(0);
  });

  test('are made anew where the engine gives them another name, or none', async () => {
    for (const facetsName of ['1', '2', undefined, undefined]) {
      const label = `of ${facetsName} ${registry.ids.size}`;
      expect(
        (await ask({ facets: brands(label), ...(facetsName === undefined ? {} : { facetsName }) }))[0]?.label,
      ).toBe(label);
    }
  });

  test('say something else with other links or other values', async () => {
    const facets = brands('a');
    const asked: Asked[] = [{ facets }, { facets, terms: 'y' }, { facets: brands('b') }, { facets: brands('a', 'b') }];
    for (const part of ['filters', 'quickFilters'] as const) {
      const said = await Promise.all(asked.map(async (one) => (await replyTo(one))[part].same()));
      expect(new Set(said).size).toBe(asked.length);
    }
    expect((await replyTo({ facets })).filters.same()).toBe((await replyTo({ facets: brands('a') })).filters.same());
  });

  test('of one store are not those of another', async () => {
    await askAgain({ facets: brands('mine'), facetsName: '1' });
    expect((await askAgain({ facets: brands('yours'), facetsName: '1', store: 't' }))[0]?.label).toBe('yours');
  });

  test('have the value that had no id as soon as it has one', async () => {
    registry.late = 'brand:b';
    const labels = async (): Promise<string[]> =>
      (await askAgain({ facets: brands('a', 'b'), facetsName: '1' })).map(({ label }) => label);
    expect(await labels()).toEqual(['a']);
    registry.late = null;
    expect(await labels()).toEqual(['a', 'b']);
  });

  test('have fewer values where links are long, whatever was kept for short ones', async () => {
    const many = brands(...Array.from({ length: 200 }, (_, at) => `b${at}`));
    expect(await askAgain({ facets: many, facetsName: '1' })).toHaveLength(200);
    const few = await ask({ facets: many, facetsName: '1', terms: 'x'.repeat(5000) });
    expect([few.length > 0, few.length < 200]).toEqual([true, true]);
    expect(await ask({ facets: many, facetsName: '1' })).toHaveLength(200);
  });

  describe('where values are selected', () => {
    const of = (filters: string[], more: Record<string, string> = {}) => {
      const sent = { terms: 'x', filter: filters, ...more };
      return linkContext('/search', sent, { parameters: sent, apiKey: 'loja' });
    };
    const selection = (key: string, filter = `brand:${key}`): FacetSelection => ({ kind: 'brand', key, filter });
    const both = async (request: Pick<FilterRequest, 'context' | 'selections'>, facetsName: string) => {
      const asked = { store: storeOf('s'), named: true, until: Infinity, ...request };
      const result = { total: 2, facets: { ...brands('a', 'b', 'c'), price } };
      const kept = await replies.of({ ...asked, result: { ...result, facetsName } });
      return { kept, made: await replies.of({ ...asked, result }) };
    };
    const price: Facet = {
      kind: 'price',
      of: 2,
      whole: { min: 1, max: 90, size: 2 },
      ranges: [],
      selected: [{ min: 5, max: 10, size: 1 }],
    };
    const priced: FacetSelection = { kind: 'price', min: 5, max: 10, filter: 'price:5..10' };
    const requests: [string, Pick<FilterRequest, 'context' | 'selections'>][] = [
      ['one', { context: of(['brand:a']), selections: [selection('a')] }],
      ['one, before other parameters', { context: of(['brand:a'], { userId: 'ana' }), selections: [selection('a')] }],
      ['one, by another shopper', { context: of(['brand:a'], { userId: 'bia' }), selections: [selection('a')] }],
      ['one, spelled otherwise', { context: of(['brand:A']), selections: [selection('a', 'brand:A')] }],
      ['two', { context: of(['brand:a', 'brand:c']), selections: [selection('a'), selection('c')] }],
      ['a range and a value', { context: of(['price:5..10', 'brand:b']), selections: [priced, selection('b')] }],
      ['one that the address does not name', { context: of([]), selections: [selection('b')] }],
    ];

    test('each reply is what it would be without what was kept', async () => {
      for (const time of ['first', 'again', 'kept']) {
        for (const [what, request] of requests) {
          const { kept, made } = await both(request, '1');
          for (const part of ['filters', 'quickFilters'] as const) {
            expect([time, what, kept[part].pieces.join('')]).toEqual([time, what, made[part].pieces.join('')]);
          }
        }
      }
    });

    test('replies say something else where their links do', async () => {
      const said = new Set<string>();
      for (const [, request] of requests) {
        await both(request, '1');
        await both(request, '1');
        said.add((await both(request, '1')).kept.filters.same());
      }
      expect(said.size).toBe(requests.length);
    });
  });

  describe('take only so much memory', () => {
    const many = (name: string, length = 200, letters = 100) =>
      brands(...Array.from({ length }, (_, at) => `${name} ${at} ${'x'.repeat(letters)}`));
    const isKept = async (facetsName: string): Promise<boolean> =>
      (await ask({ facets: brands('made anew'), facetsName }))[0]?.label !== 'made anew';

    test('who was asked for longest ago goes first, and the others are as they were', async () => {
      const names = Array.from({ length: 300 }, (_, at) => String(at));
      for (const name of names) {
        await askAgain({ facets: many(name), facetsName: name });
        expect(replies.bytes).toBeLessThanOrEqual(4 * 2 ** 20);
      }
      expect(replies.bytes).toBeGreaterThan(3 * 2 ** 20);
      for (const name of names.slice(-20)) {
        const [first] = await ask({ facets: brands('made anew'), facetsName: name });
        expect(first?.label.startsWith(`${name} 0 `)).toBe(true);
      }
      expect(await isKept('0')).toBe(false);
    });

    test('one that is large drives out nobody else', async () => {
      for (const name of ['1', '2', '3']) await askAgain({ facets: many(name, 20), facetsName: name });
      const { bytes } = replies;
      expect(await askAgain({ facets: many('large', 200, 2000), facetsName: 'large' })).toHaveLength(200);
      expect(replies.bytes).toBe(bytes);
      expect([await isKept('1'), await isKept('2'), await isKept('3')]).toEqual([true, true, true]);
      expect(await isKept('large')).toBe(false);
    });

    test('those that are asked for at once are kept once, and those that are not whole not at all', async () => {
      registry.late = 'brand:b';
      await askAgain({ facets: brands('a', 'b'), facetsName: '1' });
      expect(replies.bytes).toBe(0);
      registry.late = null;
      await askAgain({ facets: brands('a', 'b'), facetsName: '1' });
      const { bytes } = replies;
      replies = new FilterReplies(registry as unknown as FacetRegistry);
      const asked = Array.from({ length: 5 }, () => ask({ facets: brands('a', 'b'), facetsName: '1' }));
      const [first, ...others] = await Promise.all(asked);
      for (const other of others) expect(other).toEqual(first);
      expect([bytes > 0, replies.bytes]).toEqual([true, bytes]);
    });
  });

  test('have any label as it is', async () => {
    for (const label of ['\u0001', '\\u0001', '"\u2028', '\ud800', 'é $& ✓']) {
      const facets = brands(label);
      const shown = async (): Promise<string | undefined> => (await ask({ facets, facetsName: label }))[0]?.label;
      expect([await shown(), await shown(), await shown()]).toEqual([label, label, label]);
    }
  });
});
