import type { Store } from '../../stores/store';
import type { QueryTerm } from './query-terms';
import { SuggestedQueries } from './suggested-queries';
import type { TermsInChannels } from './terms-in-channels';

describe('suggested queries', () => {
  const store = { id: 's', settings: { language: 'pt-BR' } } as Store;
  const query = { normalized: 'tenis', processed: 'tenis' };
  const asked = { channels: ['default'], until: Number.POSITIVE_INFINITY };
  /** `gone`: queries that find nothing any more. */
  function of(matching: QueryTerm[], { near = [], gone = [] }: { near?: QueryTerm[]; gone?: string[] } = {}) {
    const offered = { matching: async () => matching, near: async () => near };
    const channels: Pick<TermsInChannels, 'inTime'> = {
      inTime: async (_store, terms) => terms.filter((term) => !gone.includes(term.query)),
    };
    const suggested = new SuggestedQueries({ offered, channels }, store, query, asked);
    return { of: async (...found: [number, string[]?]) => (await suggested.of(...found)).map((one) => one.query) };
  }
  const searched = (...queries: string[]): QueryTerm[] => queries.map((one) => ({ query: one, size: 1 }));

  it('are longer ones that others searched, without the query itself and names', async () => {
    expect(await of([...searched('tenis', 'tenis nike'), { query: 'tenis de mesa' }]).of(3)).toEqual(['tenis nike']);
  });

  it('are near ones where nothing was found, behind those of the engine', async () => {
    const found = of(searched('tenis nike'), { near: [{ query: 'tennis' }] });
    expect(await found.of(0, ['tenda', 'tenis'])).toEqual(['tenda', 'tenis nike', 'tennis']);
    expect(await found.of(1)).toEqual(['tenis nike']);
  });

  it('are five, each once', async () => {
    expect(await of(searched('b', 'c', 'd', 'f', 'g', 'h')).of(1, ['c'])).toEqual(['c', 'b', 'd', 'f', 'g']);
  });

  it('are none where terms can not be read: the reply is whole without them', async () => {
    const fails = async (): Promise<never> => Promise.reject(new Error('away'));
    const offered = { matching: fails, near: fails };
    const channels = { inTime: async <T>(_: Store, all: readonly T[]) => [...all] };
    const suggested = new SuggestedQueries({ offered, channels }, store, query, asked);
    expect(await suggested.of(0)).toEqual([]);
    expect(await suggested.of(0, ['b'])).toEqual([{ query: 'b' }]);
  });

  it('are what finds something: others take their places', async () => {
    const gone = ['tenis nike', 'tenda'];
    const found = of(searched('tenis nike', 'tenis azul'), { near: searched('b', 'c', 'd', 'f'), gone });
    expect(await found.of(0, ['tenda'])).toEqual(['tenis azul', 'b', 'c', 'd', 'f']);
  });

  it('are no filler words alone', async () => {
    expect(await of(searched('para', 'com o')).of(1, ['para', 'mesa para'])).toEqual(['mesa para']);
  });

  it('are shown as the store writes them', async () => {
    const terms = [{ query: 'tenis azul', label: 'Tênis Azul', size: 1 }];
    const sources = {
      offered: { matching: async () => terms, near: async () => [] },
      channels: { inTime: async <T>(_: Store, all: readonly T[]) => [...all] },
    };
    expect(await new SuggestedQueries(sources, store, query, asked).of(1)).toEqual(terms);
  });
});
