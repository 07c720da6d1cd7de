import { Accounts } from '../../src/showcase/ledger/adapters/elastic/accounts';
import { ElasticClickLedger } from '../../src/showcase/ledger/adapters/elastic/elastic-click-ledger';
import { documentOf, InteractionIndex } from '../../src/showcase/ledger/adapters/elastic/interaction-index';
import { ShowcaseIndex } from '../../src/showcase/ledger/adapters/elastic/showcase-index';
import { storedInteraction } from '../../src/showcase/ledger/ledger-rules';
import type { Charge, Interaction } from '../../src/showcase/ledger/click-ledger';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { anInteraction, aSale, INTERACTION_AT, INTERACTION_DAY } from '../builders/an-interaction';
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

  describe('an order of many products', () => {
    const lines = Array.from({ length: 50 }, (_, n) => ({ product: `p${n}`, quantity: 1, amount: 1_000_000 }));

    it('is one search for clicks, and finds those behind a thousand newer ones', async () => {
      const connection = await openElastic(elasticsearch);
      const ledger = await ElasticClickLedger.open(connection, new StandingClock());
      const interactions = new InteractionIndex(connection, ReadBatcher.of(connection));
      const searched = jest.spyOn(connection, 'search');
      await ledger.record(anInteraction({ product: 'p7' }));
      expect((await ledger.order(aSale({ lines })))?.lines).toMatchObject([{ product: 'p7' }]);
      expect(searched).toHaveBeenCalledTimes(1);
      const newer = anInteraction({ product: 'p3', at: INTERACTION_AT + 1 });
      await interactions.write(
        Array.from({ length: 1000 }, (_, n) => ({
          type: 'create',
          ...interactions.locationOf(newer, `newer-${n}`),
          document: JSON.stringify(documentOf(storedInteraction(newer, 'valid'), newer)),
        })),
      );
      searched.mockClear();
      const order = await ledger.order(aSale({ lines }));
      expect(searched).toHaveBeenCalledTimes(2);
      expect(order?.lines.map(({ product }) => product).sort()).toEqual(['p3', 'p7']);
      await dropIndices(connection);
      await connection.close();
    });
  });

  describe('money that a process took for a click and died', () => {
    let connection: ElasticConnection;
    const clock = new StandingClock();
    let ledger: ElasticClickLedger;
    let accounts: Accounts;
    let interactions: InteractionIndex;

    beforeAll(async () => {
      connection = await openElastic(elasticsearch);
      ledger = await ElasticClickLedger.open(connection, clock);
      const reads = ReadBatcher.of(connection);
      accounts = new Accounts(new ShowcaseIndex(connection, reads));
      interactions = new InteractionIndex(connection, reads);
    });
    afterAll(async () => {
      await dropIndices(connection);
      await connection.close();
    });

    const written = (interaction: Interaction, claim: string) =>
      documentOf(storedInteraction(interaction, 'valid'), { issuedAt: interaction.issuedAt, claim });
    const spent = async (campaign: string) =>
      (await ledger.spent('loja', [campaign], INTERACTION_DAY)).get(campaign)?.total;
    const claimFor = async (interaction: Interaction): Promise<string> => {
      const { cost, budget, dailyBudget } = interaction.charge as Charge;
      const location = interactions.locationOf(interaction, interaction.idempotencyKey);
      const money = { cost, budget, dailyBudget, day: interaction.day, at: clock.now() };
      const claim = await accounts.claim(interaction.store, interaction.campaign, { ...location, ...money });
      if (claim === null) throw new Error('The budget is spent');
      return claim;
    };
    const soon = async (campaign: string, micros: number): Promise<void> => {
      for (let tries = 0; tries < 100 && (await spent(campaign)) !== micros; tries += 1) {
        await new Promise((done) => setTimeout(done, 50));
      }
      expect(await spent(campaign)).toBe(micros);
    };

    it('before it wrote the click is free again after a minute, and a slow writer is too late', async () => {
      const interaction = anInteraction({ campaign: 'left' });
      const claim = await claimFor(interaction);
      expect(await spent('left')).toBe(1_500_000);
      expect(await ledger.settleOrphanedClaims()).toBe(0);
      clock.advance(61_000);
      expect(await ledger.settleOrphanedClaims()).toBe(1);
      await soon('left', 0);
      expect(
        await interactions.put(
          interactions.locationOf(interaction, interaction.idempotencyKey),
          written(interaction, claim),
        ),
      ).toBe(false);
      expect(await ledger.record(interaction)).toBe('valid');
      await soon('left', 1_500_000);
      // Claims that have ended leave their account a moment later.
      await new Promise((done) => setTimeout(done, 600));
    });

    it('is found, too, where this process spent of the same campaign just before', async () => {
      const own = anInteraction({ campaign: 'both', idempotencyKey: 'own' });
      expect(await ledger.record(own)).toBe('valid');
      await new Promise((done) => setTimeout(done, 600));
      await claimFor(anInteraction({ campaign: 'both', idempotencyKey: 'left' }));
      expect(await spent('both')).toBe(3_000_000);
      clock.advance(61_000);
      expect(await ledger.settleOrphanedClaims()).toBe(1);
      await soon('both', 1_500_000);
    });

    it('after it wrote the click stays spent', async () => {
      const interaction = anInteraction({ campaign: 'written' });
      const claim = await claimFor(interaction);
      expect(
        await interactions.put(
          interactions.locationOf(interaction, interaction.idempotencyKey),
          written(interaction, claim),
        ),
      ).toBe(true);
      clock.advance(61_000);
      expect(await ledger.settleOrphanedClaims()).toBe(1);
      expect(await ledger.record(interaction)).toBe('duplicate');
      await soon('written', 1_500_000);
      await new Promise((done) => setTimeout(done, 500));
      expect(await ledger.settleOrphanedClaims()).toBe(0);
    });

    it('is not given back to somebody who is about to write over what was taken back', async () => {
      const interaction = anInteraction({ campaign: 'over' });
      const location = interactions.locationOf(interaction, interaction.idempotencyKey);
      await claimFor(interaction);
      clock.advance(61_000);
      await ledger.settleOrphanedClaims();
      const nothing = await interactions.read(location);
      const second = await claimFor(interaction);
      clock.advance(61_000);
      await ledger.settleOrphanedClaims();
      expect(await interactions.put(location, written(interaction, second), nothing)).toBe(false);
      await soon('over', 0);
    });
  });
});
