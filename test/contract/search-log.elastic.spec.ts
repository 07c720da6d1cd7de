import { ElasticSearchArchive } from '../../src/search/log/adapters/elastic/elastic-search-archive';
import { ElasticSearchLog } from '../../src/search/log/adapters/elastic/elastic-search-log';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeSearchLogContract, type OpenSearchLog } from './search-log.contract';

function describeOnServer(name: string, url: string): void {
  const open = async (): Promise<OpenSearchLog> => {
    const connection = await openElastic(url);
    return {
      log: await ElasticSearchLog.open(connection),
      archive: await ElasticSearchArchive.open(connection),
      elsewhere: open,
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    };
  };
  describeSearchLogContract(name, open);
}

describeOn('elasticsearch', ({ elasticsearch }) => describeOnServer('Elasticsearch', elasticsearch));
describeOn('opensearch', ({ opensearch }) => describeOnServer('OpenSearch', opensearch));
