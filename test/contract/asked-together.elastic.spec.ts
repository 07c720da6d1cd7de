import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { SystemClock } from '../../src/shared/clock';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { dropIndices, openElastic } from '../support/elastic';
import { EngineBench } from '../support/engine-bench';
import { describeOn } from '../support/servers';

const WORDS = 10;

describeOn('elasticsearch', ({ elasticsearch }) => {
  describe('what is asked for at the same time', () => {
    let connection: ElasticConnection;
    let bench: EngineBench;

    beforeEach(async () => {
      connection = await openElastic(elasticsearch);
      bench = new EngineBench(new ElasticSearchEngine(connection, new SystemClock()), 5);
      const words = Array.from({ length: WORDS }, (_, at) => wordOf(at));
      await bench.write(words.map((word, at) => ({ productId: word, name: words.slice(at).join(' ') })));
    });
    afterEach(async () => {
      await dropIndices(connection);
      await connection.close();
    });

    const wordOf = (at: number): string => `${String.fromCharCode(97 + at)}bola`;
    const lookUp = async (at: number): Promise<number | undefined> => {
      const word = wordOf(at);
      const [answer] = await bench.engine.words(bench.store, { words: [{ word, stem: word }] });
      return answer?.documents;
    };

    it('words take one request, beside those for the sizes of the index and its state', async () => {
      const asked = jest.spyOn(connection, 'search');
      const found = await Promise.all(Array.from({ length: WORDS }, (_, at) => lookUp(at)));
      expect(found).toEqual(Array.from({ length: WORDS }, (_, at) => at + 1));
      const kinds = (): unknown[] => asked.mock.calls.map(([{ aggs = {} }]) => Object.keys(aggs)[0]).sort();
      expect(kinds()).toEqual(['name_documents', 'tokens', 'version']);
      await lookUp(0);
      expect(kinds().filter((kind) => kind === 'tokens')).toHaveLength(1);
    });

    it('hits that are counted take another', async () => {
      const client = await connection.call(async (used) => used);
      const asked = jest.spyOn(client, 'msearch');
      const plans = await Promise.all(
        Array.from({ length: WORDS }, (_, at) => bench.planFor(wordOf(at), { size: 0, filters: [], facets: [] })),
      );
      const totals = await Promise.all(plans.map(async (plan) => (await bench.search({ plan })).total));
      expect(totals).toEqual(Array.from({ length: WORDS }, (_, at) => at + 1));
      expect(asked).toHaveBeenCalledTimes(1);
    });

    it('hits of two indices are counted apart, so that one that is slow holds up nobody else', async () => {
      const other = new EngineBench(bench.engine, 5);
      other.nextStore();
      await other.write([{ productId: 'a', name: 'bola' }]);
      const client = await connection.call(async (used) => used);
      const asked = jest.spyOn(client, 'msearch');
      const count = async (of: EngineBench): Promise<number> =>
        (await of.search({ plan: of.plan({ size: 0, filters: [], facets: [] }) })).total;
      expect(await Promise.all([bench, other, bench].map(count))).toEqual([WORDS, 1, WORDS]);
      // Of each request, the indices that its searches name.
      const indices = asked.mock.calls.map(([{ searches = [] }]) =>
        searches.flatMap((header, at) => (at % 2 === 0 && 'index' in header ? [String(header.index)] : [])),
      );
      expect(indices.map((named) => new Set(named).size)).toEqual(indices.map(() => 1));
      expect(new Set(indices.flat()).size).toBe(2);
    });
  });
});
