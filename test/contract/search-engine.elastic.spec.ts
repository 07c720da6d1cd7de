import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { ShiftedClock } from '../support/engine-bench';
import { describeSearchEngineContract } from './search-engine.contract';

const servers = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' } as const;

for (const kind of ['elasticsearch', 'opensearch'] as const) {
  describeOn(kind, (urls) => {
    describeSearchEngineContract(servers[kind], async () => {
      const connection = await openElastic(urls[kind]);
      const clock = new ShiftedClock();
      return {
        clock,
        // Scores of the server are floats.
        digits: 5,
        engine: new ElasticSearchEngine(connection, clock, { knownMs: 200, graceMs: 0 }),
        close: async () => {
          await dropIndices(connection);
          await connection.close();
        },
      };
    });
  });
}
