import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { DocumentedIndices } from '../../src/engine/adapters/elastic/mapping/documented-indices';
import { LocationDirectory } from '../../src/engine/adapters/elastic/locations/location-directory';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { ShiftedClock } from '../support/engine-bench';
import { describeSearchEngineContract } from './search-engine.contract';

const servers = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' } as const;
const TIMES = { knownMs: 200, graceMs: 0 };

for (const kind of ['elasticsearch', 'opensearch'] as const) {
  describeOn(kind, (urls) => {
    for (const pooled of [false, true]) {
      describeSearchEngineContract(`${servers[kind]}, ${pooled ? 'in a pool' : 'in an index of its own'}`, async () => {
        const connection = await openElastic(urls[kind]);
        const clock = new ShiftedClock();
        const locations = async () => {
          const documents = await ElasticDocuments.open(connection, new BulkBatcher(connection));
          return { memory: new DocumentedIndices(documents), directory: new LocationDirectory(documents) };
        };
        const options = pooled ? { ...TIMES, ...(await locations()) } : TIMES;
        return {
          clock,
          // Scores of the server are floats.
          digits: 5,
          engine: new ElasticSearchEngine(connection, clock, options),
          close: async () => {
            await dropIndices(connection);
            await connection.close();
          },
        };
      });
    }
  });
}
