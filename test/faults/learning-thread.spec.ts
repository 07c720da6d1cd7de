import { LearningService } from '../../src/behaviour/learning/learning.service';
import { StoresService } from '../../src/stores/stores.service';
import { aShop, VELOZ } from '../builders/a-shop';
import { eventually } from '../support/acknowledged';
import { describeModes, type Place } from '../support/modes';
import { patient, type StoreClient } from '../support/store-client';
import { type WatchedThreads, watchThreads } from '../support/threads';
import { startWholeApp, type WholeApp } from '../support/whole-app';

jest.setTimeout(180_000);

describeModes((mode) => {
  describe('a learning thread that dies', () => {
    let place: Place;
    let threads: WatchedThreads;
    let whole: WholeApp;
    let store: StoreClient;

    beforeAll(async () => {
      place = mode.place();
      threads = watchThreads();
      whole = await startWholeApp(mode, { place, logLevel: 'warn' });
      store = (await whole.store('loja')).through(patient(whole.send));
      await store.putMany(aShop());
    });
    afterAll(async () => {
      await whole?.close();
      threads.restore();
      await place.remove();
    });

    it('is a line in the log; the shop is answered meanwhile, and its job tries again, and learns', async () => {
      await store.buy({ userId: 'bia' }, VELOZ.slice(0, 3));
      const before = await store.order({ terms: 'tenis' });
      threads.killNext('learn.thread');
      const { id } = whole.app.get(StoresService, { strict: false }).byApiKey('loja') ?? { id: '' };
      const { jobId } = await whole.app.get(LearningService, { strict: false }).request(id, { force: true });
      await eventually(() => threads.count('learn.thread') === 1);
      expect((await store.order({ terms: 'tenis' })).toSorted()).toEqual(before.toSorted());
      const job = store.completed(jobId);
      let ended = false;
      void job.catch(() => undefined).finally(() => (ended = true));
      await eventually(() => {
        // The clock of this service stands still: the pause before the next attempt does not pass by itself.
        whole.clock.advance(500);
        return ended;
      });
      expect(await job).toMatchObject({ state: 'completed', attempts: 2, result: { learned: true } });
      expect(whole.log()).toContain(
        'A model was not learned, which its job tries again: The learning thread ended early',
      );
      expect(threads.count('learn.thread')).toBe(2);
    });
  });
});
