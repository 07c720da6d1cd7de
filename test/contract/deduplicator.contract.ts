import type { Deduplicator } from '../../src/behaviour/events/deduplicator';

export interface DeduplicatorSubject {
  deduplicator: Deduplicator;
  close(): Promise<void>;
}

const NOW = Date.UTC(2026, 0, 15, 12);

export const failing = (): Promise<void> => Promise.reject(new Error('no disk'));

export function describeDeduplicatorContract(name: string, makeSubject: () => Promise<DeduplicatorSubject>): void {
  describe(`Deduplicator: ${name}`, () => {
    let subject: DeduplicatorSubject;
    let deduplicator: Deduplicator;
    let worked: number;
    const work = async (): Promise<void> => void (worked += 1);

    beforeEach(async () => {
      subject = await makeSubject();
      ({ deduplicator } = subject);
      worked = 0;
    });
    afterEach(() => subject.close());

    test('does the same once within ten seconds, and other things beside it', async () => {
      for (const after of [0, 1, 9999]) await deduplicator.once('ana', 'view', { now: NOW + after, work });
      expect(worked).toBe(1);
      await deduplicator.once('ana', 'other', { now: NOW, work });
      await deduplicator.once('bia', 'view', { now: NOW, work });
      expect(worked).toBe(3);
      await deduplicator.once('ana', 'view', { now: NOW + 10_000, work });
      expect(worked).toBe(4);
    });

    test('other content makes a repeat where the caller says so, also while it is under way', async () => {
      await deduplicator.once('ana', 'proof', { now: NOW, work });
      await deduplicator.once('ana', 'claim', { now: NOW + 1, unless: 'proof', work });
      expect(worked).toBe(1);
      await deduplicator.once('bia', 'claim', { now: NOW, unless: 'proof', work });
      await deduplicator.once('bia', 'proof', { now: NOW + 1, work });
      expect(worked).toBe(3);
      await Promise.allSettled([
        deduplicator.once('cid', 'proof', { now: NOW, work: failing }),
        deduplicator.once('cid', 'claim', { now: NOW + 1, unless: 'proof', work }),
      ]);
      expect(worked).toBe(4);
    });

    test('a repeat waits until the first is durable', async () => {
      const order: string[] = [];
      let finish: () => void = () => undefined;
      const durable = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const first = deduplicator.once('ana', 'view', {
        now: NOW,
        work: () => durable.then(() => void order.push('first')),
      });
      const repeat = deduplicator
        .once('ana', 'view', { now: NOW + 1, work: async () => void order.push('again') })
        .then(() => void order.push('repeat'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(order).toEqual([]);
      finish();
      await Promise.all([first, repeat]);
      expect(order).toEqual(['first', 'repeat']);
    });

    test('a first that fails leaves its turn to the next', async () => {
      await expect(deduplicator.once('ana', 'view', { now: NOW, work: failing })).rejects.toThrow('no disk');
      await deduplicator.once('ana', 'view', { now: NOW + 1, work });
      expect(worked).toBe(1);
    });

    test('of repeats that wait for a first that fails, one takes over', async () => {
      const first = deduplicator.once('ana', 'view', { now: NOW, work: failing });
      const repeats = [1, 2, 3].map((after) => deduplicator.once('ana', 'view', { now: NOW + after, work }));
      await expect(first).rejects.toThrow('no disk');
      await Promise.all(repeats);
      expect(worked).toBe(1);
    });

    test('forgets one shopper and no other whose id begins the same', async () => {
      for (const shopper of ['ana', 'anabel']) await deduplicator.once(shopper, 'view', { now: NOW, work });
      await deduplicator.forget('ana');
      for (const shopper of ['ana', 'anabel']) await deduplicator.once(shopper, 'view', { now: NOW + 1, work });
      expect(worked).toBe(3);
    });
  });
}
