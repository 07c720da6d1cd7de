import { ElasticClickCredits } from '../../src/showcase/ledger/adapters/elastic/elastic-click-credits';
import { ElasticClickLedger } from '../../src/showcase/ledger/adapters/elastic/elastic-click-ledger';
import { accountName, bodyOf } from '../../src/showcase/ledger/adapters/elastic/accounts';
import { LedgerIndices } from '../../src/showcase/ledger/adapters/elastic/showcase-index';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { anInteraction, INTERACTION_DAY } from '../builders/an-interaction';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { StandingClock } from '../support/whole-app';
import { describeClickCreditsContract } from './click-credits.contract';

describeOn('elasticsearch', ({ elasticsearch }) => {
  describeClickCreditsContract('Elasticsearch', async () => {
    const connection = await openElastic(elasticsearch);
    const others: ElasticConnection[] = [];
    return {
      ledger: await ElasticClickLedger.open(connection, new StandingClock()),
      credits: await ElasticClickCredits.open(connection),
      other: async () => {
        const second = await openElastic(elasticsearch, { prefix: connection.index('').slice(0, -1) });
        others.push(second);
        return ElasticClickCredits.open(second);
      },
      close: async () => {
        await dropIndices(connection);
        for (const one of [connection, ...others]) await one.close();
      },
    };
  });

  describe('a credit whose process died', () => {
    let connection: ElasticConnection;
    let ledger: ElasticClickLedger;
    let credits: ElasticClickCredits;
    let indices: LedgerIndices;

    beforeAll(async () => {
      connection = await openElastic(elasticsearch);
      ledger = await ElasticClickLedger.open(connection, new StandingClock());
      credits = await ElasticClickCredits.open(connection);
      indices = await LedgerIndices.open(connection, ReadBatcher.of(connection));
    });
    afterAll(async () => {
      await dropIndices(connection);
      await connection.close();
    });

    const spent = async (campaign: string) =>
      (await ledger.spent('loja', [campaign], INTERACTION_DAY)).get(campaign)?.total;
    /** Two clicks, the first of which is invalid, and open. */
    async function openCredit(campaign: string) {
      const interaction = anInteraction({ campaign });
      await ledger.record(interaction);
      await ledger.record(anInteraction({ campaign }));
      // Claims that have ended leave their account a moment later.
      await new Promise((done) => setTimeout(done, 600));
      const location = indices.interactions.locationOf(interaction, interaction.idempotencyKey);
      const found = await indices.interactions.read(location);
      if (!found) throw new Error('The click is gone');
      const invalid = { ...found.source, measure: 'click/invalid/pace', credit: 'open' as const };
      expect(await indices.interactions.put(location, invalid, found)).toBe(true);
      return location;
    }
    const creditOf = async (location: Awaited<ReturnType<typeof openCredit>>) =>
      (await indices.interactions.read(location))?.source.credit;

    it('before its account was told is given back by the next look', async () => {
      const location = await openCredit('left');
      expect(await spent('left')).toBe(3_000_000);
      expect(await credits.credit('loja', [])).toBe(0);
      expect([await spent('left'), await creditOf(location)]).toEqual([1_500_000, undefined]);
      expect(await credits.credit('loja', [])).toBe(0);
      expect(await spent('left')).toBe(1_500_000);
    });

    it('after its account was told is not given back twice', async () => {
      const location = await openCredit('told');
      const name = accountName('loja', 'told');
      await indices.named.change(name, (document) => {
        const { total, days, ...rest } = bodyOf(document);
        const body = { ...rest, total: total - 1_500_000, days, credited: [location] };
        return { write: { since: 0, body: JSON.stringify(body) }, result: null };
      });
      await credits.credit('loja', []);
      expect([await spent('told'), await creditOf(location)]).toEqual([1_500_000, undefined]);
      // A click that is billed meanwhile leaves the list as it is; the next credit clears it.
      await ledger.record(anInteraction({ campaign: 'told' }));
      await openCredit('told');
      await credits.credit('loja', []);
      expect(await spent('told')).toBe(4_500_000);
      const [account] = await indices.named.read([name]);
      expect(bodyOf(account?.source ?? null).credited).toHaveLength(1);
    });
  });
});
