import type { Store } from '../../stores/store';
import type { QueryTerm } from './query-terms';
import { SuggestedQueries } from './suggested-queries';

describe('suggested queries', () => {
  const store = { id: 's' } as Store;
  const query = { normalized: 'tenis', processed: 'tenis' };
  const of = (matching: QueryTerm[], near: QueryTerm[] = []) =>
    new SuggestedQueries({ matching: async () => matching, near: async () => near }, store, query);
  const searched = (...queries: string[]): QueryTerm[] => queries.map((one) => ({ query: one, size: 1 }));

  it('are longer ones that others searched, without the query itself and names', async () => {
    expect(await of([...searched('tenis', 'tenis nike'), { query: 'tenis de mesa' }]).of(3)).toEqual(['tenis nike']);
  });

  it('are near ones where nothing was found, behind those of the engine', async () => {
    const found = of(searched('tenis nike'), [{ query: 'tennis' }]);
    expect(await found.of(0, ['tenda', 'tenis'])).toEqual(['tenda', 'tenis nike', 'tennis']);
    expect(await found.of(1)).toEqual(['tenis nike']);
  });

  it('are five, each once', async () => {
    expect(await of(searched('a', 'b', 'c', 'd', 'e', 'f')).of(1, ['b'])).toEqual(['b', 'a', 'c', 'd', 'e']);
  });

  it('are none where terms can not be read: the reply is whole without them', async () => {
    const fails = async (): Promise<never> => Promise.reject(new Error('away'));
    expect(await new SuggestedQueries({ matching: fails, near: fails }, store, query).of(0)).toEqual([]);
  });
});
