import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { firstRecord, type LocationRecord, type StoredLocation } from './location-record';
import { LocationRemoval } from './location-removal';

const pooled = { pool: 'pool.3.000001', scope: 's.1' };

test('a place that a store has come back to while its deletion waited stays', async () => {
  const left = (location: StoredLocation) => ({ location, since: 1 });
  let record: LocationRecord = { ...firstRecord({ ...pooled, scope: 's.2' }), leaving: [left(pooled), left('own')] };
  let release: () => void = () => undefined;
  const removed: StoredLocation[] = [];
  const removal = new LocationRemoval({
    directory: {
      read: async () => record,
      change: async (_store, make) => (record = make(record) ?? record),
    },
    own: { remove: async () => void removed.push('own') },
    pools: {
      remove: async (location) => {
        removed.push(location);
        await new Promise<void>((resolve) => (release = resolve));
      },
    },
  });
  removal.begin('s', [pooled, 'own']);
  // The same again, as whoever looks next does.
  removal.begin('s', [pooled, 'own']);
  while (removed.length === 0) await nextTurn();
  record = { ...record, serving: 'own' };
  release();
  while (record.leaving.length > 0) await nextTurn();
  expect(removed).toEqual([pooled]);
});

test('what can’t be deleted is told once, and deleted by whoever looks next', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  let record: LocationRecord = { ...firstRecord(pooled), leaving: [{ location: 'own', since: 1 }] };
  let fails = 2;
  const removal = new LocationRemoval({
    directory: {
      read: async () => record,
      change: async (_store, make) => (record = make(record) ?? record),
    },
    own: {
      remove: async () => {
        fails -= 1;
        if (fails >= 0) throw new Error('no room');
      },
    },
    pools: { remove: async () => undefined },
  });
  for (let tries = 0; tries < 3; tries += 1) {
    removal.begin('s', ['own']);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }
  expect(fails).toBe(-1);
  expect(record.leaving).toEqual([]);
  expect(warn.mock.calls).toEqual([['What a store has left behind is not deleted yet (s "own"): no room']]);
  warn.mockRestore();
});
