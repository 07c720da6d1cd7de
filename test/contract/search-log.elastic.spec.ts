import { ElasticSearchArchive } from '../../src/search/log/adapters/elastic/elastic-search-archive';
import { ElasticSearchLog } from '../../src/search/log/adapters/elastic/elastic-search-log';
import { aCart } from '../builders/a-logged-search';
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

describeOn('elasticsearch', ({ elasticsearch }) => {
  it('what carts of fifty products followed from is one search of the log', async () => {
    const connection = await openElastic(elasticsearch);
    const log = await ElasticSearchLog.open(connection);
    const client = await connection.call(async (used) => used);
    const [asked, refreshed] = [jest.spyOn(client, 'msearch'), jest.spyOn(client.indices, 'refresh')];
    for (const shopper of ['u:ana', 'u:bia', 'd:phone', 'd:tablet', 'u:cris'] as const) {
      for (let n = 1; n <= 50; n += 1) log.noteOutcome(aCart({ product: `p${n}`, shoppers: [shopper] }));
    }
    await log.flush();
    expect(asked.mock.calls.map(([{ searches = [] }]) => searches.length / 2)).toEqual([1]);
    expect(refreshed).toHaveBeenCalledTimes(1);
    await log.close();
    await dropIndices(connection);
    await connection.close();
  });
});

describeOn('elasticsearch', ({ elasticsearch }) => describeOnServer('Elasticsearch', elasticsearch));
describeOn('opensearch', ({ opensearch }) => describeOnServer('OpenSearch', opensearch));
