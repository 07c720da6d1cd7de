import { Pacer } from './pacer';

const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

describe('long works', () => {
  it('go on one in a turn of the event loop, each in its turn', async () => {
    let turn = 0;
    let counting = true;
    const count = (): void => {
      turn += 1;
      if (counting) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      const pacer = new Pacer();
      for (let piece = 0; piece < 5; piece++) {
        busy(4);
        await pacer.breathe();
        turns.push(turn);
        order.push(name);
      }
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    counting = false;
    expect(new Set(turns).size).toBe(turns.length);
    expect(order.join('')).toBe('abc'.repeat(5));
  });

  it('do not wait after a short piece', async () => {
    let turned = false;
    setImmediate(() => (turned = true));
    await new Pacer().breathe();
    expect(turned).toBe(false);
  });
});
