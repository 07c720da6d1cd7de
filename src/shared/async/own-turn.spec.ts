import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownTurn } from './own-turn';

describe('work in a turn of its own', () => {
  it('takes turns between callers, so that one comes behind at most one of each other', async () => {
    const order: string[] = [];
    const begun = ['flood', 'flood', 'flood', 'flood', 'shopper'].map(async (caller) => {
      await ownTurn(['shop', caller]);
      order.push(caller);
    });
    await Promise.all(begun);
    expect(order).toEqual(['flood', 'flood', 'shopper', 'flood', 'flood']);
  });

  describe('by the time that turns take', () => {
    let now = 0;
    let turn = 0;
    let restMs = 0;
    let counting = true;

    beforeEach(async () => {
      // What a test before this one has taken is over then.
      await nextTurn();
      await nextTurn();
      now = performance.now();
      jest.spyOn(performance, 'now').mockImplementation(() => now);
      counting = true;
      const count = (): void => {
        turn += 1;
        now += restMs;
        if (counting) setImmediate(count);
      };
      count();
    });
    afterEach(async () => {
      counting = false;
      await nextTurn();
      jest.restoreAllMocks();
    });

    /** Of pieces of work that take a millisecond each, how many were done in each turn. */
    const counts = async (pieces: number, names?: readonly [string, string]): Promise<number[]> => {
      const perTurn = new Map<number, number>();
      const begun = Array.from({ length: pieces }, async () => {
        await (names ? ownTurn(names) : ownTurn());
        perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
        now += 1;
      });
      await Promise.all(begun);
      return [...perTurn.values()];
    };

    it('is one in each turn of the event loop', async () => {
      restMs = 3;
      expect(new Set(await counts(5, ['shop', 'ana']))).toEqual(new Set([1]));
    });

    it('is more than one in a turn that is long without it, for half as long', async () => {
      restMs = 10;
      expect(Math.max(...(await counts(40, ['shop', 'ana'])))).toBe(5);
    });

    it('takes no more than 16 milliseconds of a turn, however long it is without it', async () => {
      restMs = 100;
      expect(Math.max(...(await counts(60, ['shop', 'ana'])))).toBe(16);
    });

    it('is one of a job in each turn, however long it is', async () => {
      restMs = 100;
      expect(new Set(await counts(5))).toEqual(new Set([1]));
    });
  });
});
