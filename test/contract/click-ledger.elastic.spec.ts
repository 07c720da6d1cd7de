import { ElasticClickLedger } from '../../src/showcase/clicks/adapters/elastic/elastic-click-ledger';
import type { ElasticConnection } from '../../src/storage/elastic';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { StandingClock } from '../support/whole-app';
import { describeClickLedgerContract } from './click-ledger.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  describeClickLedgerContract('Elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const others: ElasticConnection[] = [];
    const clock = new StandingClock();
    return {
      ledger: await ElasticClickLedger.open(connection, clock),
      other: async () => {
        const second = await openElastic(elasticsearch, { prefix: connection.index('').slice(0, -1) });
        others.push(second);
        return ElasticClickLedger.open(second, clock);
      },
      clock,
      close: async () => {
        await dropIndices(connection);
        for (const one of [connection, ...others]) await one.close();
      },
    };
  });
});
