import type { Clock } from '../../src/shared/clock';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { ElasticQueryTerms } from '../../src/search/terms/adapters/elastic/elastic-query-terms';
import { termId } from '../../src/search/terms/adapters/elastic/term-requests';
import type { QueryTerms } from '../../src/search/terms/query-terms';
import { anEngineDocument } from '../builders/an-engine-document';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeQueryTermsContract, TermsClock } from './query-terms.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  const open = async (clock: Clock = new TermsClock()) => {
    const connection = await openElastic(elasticsearch);
    const another = () => ElasticQueryTerms.open(connection, clock);
    const close = async (): Promise<void> => {
      await dropIndices(connection);
      await connection.close();
    };
    return { connection, terms: await another(), another, close };
  };

  const now = new TermsClock().now();
  /** So many shoppers, whose backend sends keys. */
  const search = (terms: QueryTerms, query: string, shoppers: readonly string[]): void => {
    for (const user of shoppers)
      terms.record('s1', query, { size: 5, by: { user, device: null, address: null, at: now } });
  };
  const ALL = ['ana', 'bia', 'eva'];

  describeQueryTermsContract('Elasticsearch', async (clock) => {
    const { terms, another, close } = await open(clock);
    const subject = {
      terms,
      reopen: async () => {
        await subject.terms.close();
        subject.terms = await another();
        return subject.terms;
      },
      close,
    };
    return subject;
  });

  describe('QueryTerms on several replicas', () => {
    it('adds up what each has counted, and who', async () => {
      const { terms, another, close } = await open();
      const replicas = [terms, await another(), await another()];
      for (const [at, replica] of replicas.entries()) {
        search(replica, 'tenis', [`user-${at}`, 'ana']);
        search(replicas[0] ?? replica, 'bola', ['ana', 'bia']);
      }
      for (let times = 0; times < 2; times++) search(replicas[1] ?? terms, 'mesa', ALL);
      await Promise.all(replicas.map((replica) => replica.close()));
      const found = await (await another()).matching('s1', '', 10);
      expect(found.map(({ query }) => query)).toEqual(['mesa', 'tenis']);
      await close();
    });

    it('writes nothing of a shopper whom another has forgotten, however late', async () => {
      const { terms, another, close } = await open();
      const late = await another();
      search(terms, 'tenis', ['ana']);
      search(late, 'tenis', ALL);
      search(late, 'bola', ['ana']);
      expect(await terms.forget('s1', ['ana'])).toBe(1);
      await late.close();
      const fresh = await another();
      expect(await fresh.searchedBy('s1', ['ana'])).toEqual([]);
      expect(await fresh.searchedBy('s1', ['bia'])).toHaveLength(1);
      expect(await fresh.matching('s1', '', 10)).toEqual([]);
      await close();
    });

    it('shows nothing of terms that a version of before has kept, and removes them', async () => {
      const { connection, terms, another, close } = await open();
      const index = connection.index('query-terms');
      const document = { store: 's1', term: 'cpf de alguem', searches: 900, size: 1, last: now };
      await connection.call((client, options) =>
        client.index({ index, id: termId('s1', 'cpf de alguem'), document, refresh: true }, options),
      );
      expect(await terms.matching('s1', '', 10)).toEqual([]);
      search(terms, 'tenis', ALL);
      await terms.close();
      expect(await (await another()).expire()).toBe(1);
      expect(await (await another()).matching('s1', '', 10)).toEqual([{ query: 'tenis', size: 5 }]);
      await close();
    });

    it('writes nothing more of a store that another has removed', async () => {
      const { terms, another, close } = await open();
      const late = await another();
      search(late, 'tenis', ALL);
      await terms.removeStore('s1');
      await late.close();
      expect(await (await another()).matching('s1', '', 10)).toEqual([]);
      await close();
    });

    it('fills up with names of categories and brands of the index', async () => {
      const { connection, terms, another, close } = await open();
      const engine = new ElasticSearchEngine(connection, new TermsClock());
      const document = anEngineDocument({
        productId: 'p1',
        brand: { key: 'acao', label: 'Ação' },
        categories: [{ key: 'moda', id: 'moda', label: 'Moda Íntima', parent: null }],
      });
      const { brand, categories } = document;
      const ofApp = anEngineDocument({ productId: 'p2', channel: 'app', brand });
      // Sent without a name: no search finds it by its id.
      const unnamed = { key: '10', id: '10', label: '10', parent: null };
      const notOfApp = anEngineDocument({
        productId: 'p3',
        excludedChannels: ['app'],
        categories: [...categories, unnamed],
      });
      await engine.write('s1', 'pt', [
        { productId: 'p1', documents: [{ ...document, channel: 'web' }] },
        { productId: 'p2', documents: [ofApp] },
        { productId: 'p3', documents: [notOfApp] },
      ]);
      await engine.searchable('s1');
      search(terms, 'tenis', ALL);
      await terms.close();
      const found = await (await another()).matching('s1', '', 10);
      expect(found[0]).toEqual({ query: 'tenis', size: 5 });
      expect(found.map(({ query }) => query).toSorted()).toEqual(['10', 'acao', 'moda intima', 'tenis']);
      // A channel that some are excluded from may have none.
      expect(new Map(found.map(({ query, channels }) => [query, channels]))).toEqual(
        new Map([
          ['tenis', undefined],
          ['10', new Set()],
          ['acao', new Set(['web', 'app'])],
          ['moda intima', new Set(['web'])],
        ]),
      );
      await close();
    });
  });
});
