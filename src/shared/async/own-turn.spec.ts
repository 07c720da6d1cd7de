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

  it('is one in each turn of the event loop', async () => {
    let turn = 0;
    let counting = true;
    const count = (): void => {
      turn += 1;
      if (counting) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const begun = ['a', 'b', 'c'].map(async (caller) => {
      await ownTurn(['shop', caller]);
      turns.push(turn);
    });
    await Promise.all(begun);
    counting = false;
    expect(new Set(turns).size).toBe(3);
  });
});
