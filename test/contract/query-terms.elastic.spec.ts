import { SystemClock } from '../../src/shared/clock';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { ElasticQueryTerms } from '../../src/search/terms/adapters/elastic/elastic-query-terms';
import { anEngineDocument } from '../builders/an-engine-document';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeQueryTermsContract } from './query-terms.contract';

const clock = new SystemClock();

describeOn('elasticsearch', ({ elasticsearch }) => {
  const open = async () => {
    const connection = await openElastic(elasticsearch);
    const another = () => ElasticQueryTerms.open(connection, clock);
    const close = async (): Promise<void> => {
      await dropIndices(connection);
      await connection.close();
    };
    return { connection, terms: await another(), another, close };
  };

  describeQueryTermsContract('Elasticsearch', async () => {
    const { terms, another, close } = await open();
    const reopen = async () => {
      await terms.close();
      return another();
    };
    return { terms, reopen, close };
  });

  describe('QueryTerms on several replicas', () => {
    it('adds up what each has counted', async () => {
      const { terms, another, close } = await open();
      const replicas = [terms, await another(), await another()];
      for (const [at, replica] of replicas.entries()) {
        for (let times = 0; times <= at; times++) replica.record('s1', 'tenis', 5);
        for (let times = 0; times < 5; times++) replicas[0]?.record('s1', 'bola', 3);
      }
      for (let times = 0; times < 10; times++) replicas[0]?.record('s1', 'mesa', 2);
      for (let times = 0; times < 10; times++) replicas[1]?.record('s1', 'tenis', 5);
      await Promise.all(replicas.map((replica) => replica.close()));
      const found = await (await another()).matching('s1', '', 10);
      expect(found.map(({ query }) => query)).toEqual(['tenis', 'bola', 'mesa']);
      await close();
    });

    it('writes nothing more of a store that another has removed', async () => {
      const { terms, another, close } = await open();
      const late = await another();
      late.record('s1', 'tenis', 5);
      await terms.removeStore('s1');
      await late.close();
      expect(await (await another()).matching('s1', '', 10)).toEqual([]);
      await close();
    });

    it('fills up with names of categories and brands of the index', async () => {
      const { connection, terms, another, close } = await open();
      const engine = new ElasticSearchEngine(connection, clock);
      const document = anEngineDocument({
        productId: 'p1',
        brand: { key: 'acao', label: 'Ação' },
        categories: [{ key: 'moda', id: 'moda', label: 'Moda Íntima', parent: null }],
      });
      await engine.write('s1', 'pt', [{ productId: 'p1', documents: [document] }]);
      terms.record('s1', 'tenis', 5);
      await terms.close();
      const found = await (await another()).matching('s1', '', 10);
      expect(found[0]).toEqual({ query: 'tenis', size: 5 });
      expect(found.map(({ query }) => query).toSorted()).toEqual(['acao', 'moda intima', 'tenis']);
      await close();
    });
  });
});
