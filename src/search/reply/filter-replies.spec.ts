import type { EngineResult, Facet } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import { defaultSettings } from '../../stores/store-settings';
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

  test('are what they were, with the links of whoever asks', async () => {
    const [first] = await ask({ facets: brands('a', 'b'), facetsName: '1' });
    const [again] = await ask({ facets: brands('other'), facetsName: '1', terms: 'y' });
    expect([first?.label, first?.link]).toEqual([
      'a',
      `/search?terms=x&filter=${encodeURIComponent(`d:1:${first?.id}`)}`,
    ]);
    expect(again).toEqual({ ...first, link: first?.link.replace('terms=x', 'terms=y') });
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
      const said = await Promise.all(asked.map(async (one) => (await replyTo(one))[part].same));
      expect(new Set(said).size).toBe(asked.length);
    }
    expect((await replyTo({ facets })).filters.same).toBe((await replyTo({ facets: brands('a') })).filters.same);
  });

  test('of one store are not those of another', async () => {
    await ask({ facets: brands('mine'), facetsName: '1' });
    expect((await ask({ facets: brands('yours'), facetsName: '1', store: 't' }))[0]?.label).toBe('yours');
  });

  test('have the value that had no id as soon as it has one', async () => {
    registry.late = 'brand:b';
    const labels = async (): Promise<string[]> =>
      (await ask({ facets: brands('a', 'b'), facetsName: '1' })).map(({ label }) => label);
    expect(await labels()).toEqual(['a']);
    registry.late = null;
    expect(await labels()).toEqual(['a', 'b']);
  });

  test('have fewer values where links are long, whatever was kept for short ones', async () => {
    const many = brands(...Array.from({ length: 200 }, (_, at) => `b${at}`));
    expect(await ask({ facets: many, facetsName: '1' })).toHaveLength(200);
    const few = await ask({ facets: many, facetsName: '1', terms: 'x'.repeat(5000) });
    expect([few.length > 0, few.length < 200]).toEqual([true, true]);
    expect(await ask({ facets: many, facetsName: '1' })).toHaveLength(200);
  });

  test('have any label as it is', async () => {
    for (const label of ['\u0001', '\\u0001', '"\u2028', '\ud800', 'é $& ✓']) {
      const facets = brands(label);
      const shown = async (): Promise<string | undefined> => (await ask({ facets, facetsName: label }))[0]?.label;
      expect([await shown(), await shown()]).toEqual([label, label]);
    }
  });
});
