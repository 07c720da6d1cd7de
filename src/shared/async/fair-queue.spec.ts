import { FairQueue } from './fair-queue';

function all(queue: FairQueue<string>): string {
  let order = '';
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) order += item;
  return order;
}

describe('a fair queue', () => {
  const flooded = (): FairQueue<string> => {
    const queue = new FairQueue<string>();
    for (const item of ['a', 'b', 'c', 'd']) queue.push(['big', 'x'], item);
    queue.push(['small', 'y'], '1');
    queue.push(['small', 'y'], '2');
    return queue;
  };

  it('lets stores take turns, and keeps the order within each', () => {
    expect(all(flooded())).toBe('a1b2cd');
  });

  it('lets the callers of a store take turns, which gives the store no more turns', () => {
    const queue = flooded();
    queue.push(['big', 'z'], 'z');
    expect(all(queue)).toBe('a1z2bcd');
  });

  it.each([
    [['big', 'x'], 6],
    [['small', 'y'], 5],
    [['big', 'new'], 3],
    [['other', 'new'], 2],
  ])('tells how many come before a new one of %j', (names, ahead) => {
    const queue = flooded();
    expect(queue.ahead(names)).toBe(ahead);
    queue.push(names, '!');
    expect(all(queue).indexOf('!')).toBeLessThanOrEqual(ahead);
  });

  it('passes over whose turn may not be yet', () => {
    const queue = flooded();
    const notBig = (name: string): boolean => name !== 'big';
    expect([queue.shift(notBig), queue.shift(notBig), queue.shift(notBig)]).toEqual(['1', '2', undefined]);
    expect([queue.size, all(queue), queue.size]).toEqual([4, 'abcd', 0]);
  });

  it('passes over a caller of a store, and not the store', () => {
    const queue = flooded();
    queue.push(['big', 'z'], 'z');
    const notX = (_store: string, caller = ''): boolean => caller !== 'x';
    expect(['first', 'second', 'third', 'none'].map(() => queue.shift(notX))).toEqual(['z', '1', '2', undefined]);
    expect([queue.size, all(queue)]).toEqual([4, 'abcd']);
  });
});
