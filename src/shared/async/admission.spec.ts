import { setTimeout as sleep } from 'node:timers/promises';
import { admissionUnder } from '../../../test/support/admission';
import { Admission } from './admission';

describe('admission', () => {
  it('begins what there is room for, and the rest in turn', async () => {
    const { begun, ask, end } = admissionUnder();
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => ask(name));
    // A quarter of the slots is kept from a store alone.
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
    await end();
    expect(begun.at(-1)).toBe('a4');
    for (let left = 4; left > 0; left--) await end();
    expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('lets a store that asks for little begin before one that asks for much', async () => {
    const { begun, ask, end } = admissionUnder({ longestWaitMs: 10_000 });
    for (let item = 0; item < 50; item += 1) void ask(`a${item}`);
    void ask('b1');
    void ask('b2');
    await end();
    await end();
    expect(begun.slice(3)).toEqual(['b1', 'a3', 'b2']);
  });

  it('begins in one turn of the event loop no more than is meant for one, and whoever asked for little first', async () => {
    const { begun, ask, end } = admissionUnder({ slots: 100, aTurn: 4, longestWaitMs: 10_000 });
    for (const item of [1, 2, 3, 4]) void ask(`a${item}`, { weight: 2 });
    void ask('b1');
    expect(begun).toEqual(['a1', 'a2']);
    await end();
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  });

  it('lets as many turns of the event loop pass as heavy work weighs', async () => {
    const { begun, ask, end } = admissionUnder({ slots: 100, aTurn: 4, longestWaitMs: 10_000 });
    for (const item of [1, 2]) void ask(`a${item}`, { weight: 40 });
    const turnsOf = async (count: number): Promise<number> => {
      let turns = 0;
      for (; begun.length < count && turns < 1000; turns += 1) await end();
      return turns;
    };
    expect(begun).toEqual(['a1']);
    expect(await turnsOf(2)).toBeGreaterThanOrEqual(9);
    void ask('b1');
    expect(begun).toEqual(['a1', 'a2']);
    expect(await turnsOf(3)).toBeLessThanOrEqual(11);
  });

  it('begins nothing more of a caller who has much under way that is heavy, and what others ask for at once', async () => {
    const { admission, begun, ask, end } = admissionUnder({ slots: 100, mostHeavyOf: () => 8, longestWaitMs: 10_000 });
    const flood = { names: ['a', 'flood'] } as const;
    for (const item of [1, 2, 3, 4]) void ask(`a${item}`, { ...flood, weight: 5 });
    void ask('a light', flood);
    expect(begun).toEqual(['a1', 'a2']);
    void ask('a shopper', { names: ['a', 'shopper'], weight: 50 });
    expect(begun.at(-1)).toBe('a shopper');
    expect(admission.refuses(['a', 'flood'])).toBe(false);
    await end();
    expect(begun.slice(3)).toEqual(['a3']);
    await end();
    await end();
    expect(begun.slice(4)).toEqual(['a4']);
    await end();
    expect(begun.slice(5)).toEqual(['a light']);
  });

  it('refuses at once whoever would wait too long behind many of their own that are heavy, and nobody else', async () => {
    const { admission, ask, end } = admissionUnder({ slots: 100, mostHeavyOf: () => 8 });
    const flood = { names: ['a', 'flood'], weight: 9 } as const;
    for (let item = 0; item < 32; item += 1) void ask(`a${item}`, flood);
    await sleep(200);
    await end();
    expect(admission.refuses(['a', 'flood'])).toBe(false);
    for (const item of ['a33', 'a34']) void ask(item, flood);
    expect(admission.refuses(['a', 'flood'])).toBe(true);
    expect(admission.refuses(['a', 'shopper'])).toBe(false);
  });

  it('counts what is heavy no more when it has failed', async () => {
    const { admission, begun, ask } = admissionUnder({ slots: 100, mostHeavyOf: () => 8 });
    const flood = { names: ['a', 'flood'], weight: 9 } as const;
    const fail = () => Promise.reject(new Error('full'));
    await expect(admission.run({ ...flood, until: performance.now() + 5000 }, fail)).rejects.toThrow('full');
    void ask('a1', flood);
    expect(begun).toEqual(['a1']);
  });

  it('begins no less of everybody at once where what is heavy of few takes long', async () => {
    const { admission, ask, end } = admissionUnder({ slots: 100, mostHeavyOf: () => 8, targetMs: () => 1 });
    for (const caller of ['flood', 'crowd']) {
      for (let item = 0; item < 4; item += 1) void ask(`a${item}`, { names: ['a', caller], weight: 9 });
    }
    for (let left = 8; left > 0; left -= 1) await sleep(10).then(end);
    expect(admission.slots).toBe(100);
  });

  it('begins all that is light of a caller, however little may be heavy', () => {
    const { begun, ask } = admissionUnder({ slots: 100, mostHeavyOf: () => 1 });
    for (let item = 0; item < 20; item += 1) void ask(`a${item}`, { names: ['a', 'busy'] });
    expect(begun).toHaveLength(20);
  });

  it('begins what another caller of a store asks for at once, whatever one asks for', async () => {
    const { admission, begun, ask, end } = admissionUnder({ slots: 5, longestWaitMs: 10_000 });
    const flood = { names: ['a', 'flood'] } as const;
    for (let item = 0; item < 20; item += 1) void ask(`a${item}`, flood);
    expect(begun).toEqual(['a0', 'a1', 'a2']);
    expect(admission.refuses(['a', 'shopper'])).toBe(false);
    void ask('a shopper');
    expect(begun.at(-1)).toBe('a shopper');
    // The store has its share now, so that the second one waits: for the next that ends, and not for the line of the flood.
    void ask('a second');
    expect(begun).toHaveLength(4);
    await end();
    await end();
    expect(begun.slice(4)).toContain('a second');
  });

  it('gives one caller fewer while others ask, too', async () => {
    const { begun, ask, end } = admissionUnder({ slots: 6, longestWaitMs: 10_000 });
    const flood = { names: ['a', 'flood'] } as const;
    for (let item = 0; item < 20; item += 1) void ask(`a${item}`, flood);
    expect(begun).toHaveLength(4);
    void ask('a shopper');
    expect(begun.at(-1)).toBe('a shopper');
    // Four of five slots of the store were the flood's, two are now.
    for (const count of [5, 5, 6, 7]) {
      await end();
      expect(begun).toHaveLength(count);
    }
    // Nobody else has asked for a second.
    await sleep(1050);
    await end();
    expect(begun).toHaveLength(9);
  });

  it('refuses at once what would wait too long by what work took so far, and nothing of another store', async () => {
    const { admission, ask, end, refused, begun } = admissionUnder();
    const first = ask('a');
    await sleep(160);
    await end();
    await first;
    // Some 30 ms on average now, and two slots for a caller.
    const asked = Array.from({ length: 40 }, () => ask('a'));
    expect(admission.waiting).toBeGreaterThan(0);
    expect(admission.waiting).toBeLessThan(30);
    expect(refused.length).toBe(40 - 2 - admission.waiting);
    const since = performance.now();
    expect(await ask('a')).toBe('overloaded');
    expect(performance.now() - since).toBeLessThan(20);
    expect([admission.refuses(['a', 'a']), admission.refuses(['b', 'b'])]).toEqual([true, false]);
    void ask('b');
    expect(begun.at(-1)).toBe('b');
    const admitted = 41 - refused.length + 1;
    for (let left = admitted; left > 0; left--) await end();
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === 'overloaded').length + 1).toBe(refused.length);
    expect([admission.waiting, admission.underWay]).toEqual([0, 0]);
  });

  it('turns nobody away from a line that is shorter than the slots, however long work took', async () => {
    const { admission, ask, end } = admissionUnder({ longestWaitMs: 1 });
    const first = ask('a');
    await sleep(160);
    await end();
    await first;
    // Some 30 ms on average now, and a turn is waited for 4 ms at most, by the numbers.
    const asked = Array.from({ length: 20 }, () => ask('a'));
    expect([admission.underWay, admission.waiting]).toEqual([2, 4]);
    for (let left = 6; left > 0; left--) await end();
    expect((await Promise.all(asked)).filter((outcome) => outcome === 'a')).toHaveLength(6);
  });

  it('begins what little time is left for, unless there are many who have more', async () => {
    const { ask, begun, end } = admissionUnder({ slots: 2, longestWaitMs: 10_000 });
    const first = ask('a');
    await sleep(1600);
    await end();
    await first;
    // Some 209 ms on average now, and 140 ms after three that take none.
    const soon = (): { until: number } => ({ until: performance.now() + 120 });
    void ask('a');
    const alone = ask('a1', soon());
    await end();
    expect(begun).toHaveLength(3);
    await end();
    expect(await alone).toBe('a1');
    void ask('a');
    const among = [ask('a1', soon()), ...Array.from({ length: 9 }, () => ask('a'))];
    await end();
    expect(await among[0]).toBe('overloaded');
    for (let left = 10; left > 0; left--) await end();
    expect(new Set(await Promise.all(among.slice(1)))).toEqual(new Set(['a']));
  });

  it('lets a caller who has little in line wait longer than one who fills it', async () => {
    const { admission, ask, end } = admissionUnder({ slots: 2, longestWaitMs: 200 });
    const first = ask('a');
    await sleep(160);
    await end();
    await first;
    // Some 29 ms on average now, one slot for a store: six of one caller wait for 200 ms, and ten callers with one each for longer.
    void ask('a');
    const flood = Array.from({ length: 20 }, () => ask('a', { names: ['a', 'flood'] }));
    const shoppers = Array.from({ length: 9 }, (_, index) => ask('a', { names: ['a', `shopper ${index}`] }));
    expect(admission.refuses(['a', 'flood'])).toBe(true);
    expect(admission.refuses(['a', 'shopper'])).toBe(false);
    const taken = admission.waiting;
    expect(taken).toBeLessThan(20);
    for (let left = taken + 1; left > 0; left--) await end();
    expect(await Promise.all(shoppers)).toEqual(Array.from({ length: 9 }, () => 'a'));
    expect((await Promise.all(flood)).filter((outcome) => outcome === 'a')).toHaveLength(taken - 9);
  });

  it('begins nothing that nobody waits for any more', async () => {
    const { begun, ask, end, refused } = admissionUnder({ slots: 1 });
    void ask('a');
    const late = ask('b', { until: performance.now() + 20 });
    const left = ask('c', { gone: () => true });
    expect(await late).toBe('overloaded');
    await end();
    expect(await left).toBe('overloaded');
    expect([begun, refused]).toEqual([['a'], ['late', 'gone']]);
  });

  it('gives up what takes too long, and its slot is free', async () => {
    const { ask, begun } = admissionUnder({ slots: 1 });
    expect(await ask('a', { until: performance.now() + 20 })).toBe('unavailable');
    void ask('b');
    expect(begun).toEqual(['a', 'b']);
  });

  it('waits for what has begun where it is told to be patient', async () => {
    const { ask, end } = admissionUnder({ slots: 1 });
    const asked = ask('a', { until: performance.now() + 20, patient: true });
    await sleep(40);
    await end();
    expect(await asked).toBe('a');
  });

  it('goes on after work that failed', async () => {
    const { admission, ask } = admissionUnder({ slots: 1 });
    const failing = admission.run({ names: ['a', 'x'], until: Infinity, patient: true }, () =>
      Promise.reject(new Error('no')),
    );
    const next = ask('b', { until: performance.now() + 100 });
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('unavailable');
    expect(admission.underWay).toBe(0);
  });

  it('begins less at once where work takes too long, and more again where it does not', async () => {
    let ms = 60;
    const atOnce = { first: 8, least: 2, most: 64 };
    const admission = new Admission({ atOnce, targetMs: () => 30, longestWaitMs: 10_000, aTurn: 100 });
    const load = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 12 }, async (_, serial) => {
          for (let times = 0; times < 15; times += 1) {
            const names = [`store ${serial % 3}`, 'x'] as const;
            await admission.run({ names, until: performance.now() + 60_000 }, () => sleep(ms));
          }
        }),
      );
    await load();
    const few = admission.slots;
    expect(few).toBeLessThan(8);
    ms = 1;
    await load();
    await load();
    expect(admission.slots).toBeGreaterThan(few);
  });

  it('begins no less at once where few that are under way take long', async () => {
    const atOnce = { first: 8, least: 2, most: 8 };
    const admission = new Admission({ atOnce, targetMs: () => 5, longestWaitMs: 10_000, aTurn: 100 });
    const caller = async (serial: number): Promise<void> => {
      for (let times = 0; times < 6; times += 1) {
        const names = [`store ${serial}`, 'x'] as const;
        await admission.run({ names, until: performance.now() + 60_000 }, () => sleep(20 * (serial + 1)));
      }
    };
    await Promise.all([0, 1, 2].map(caller));
    expect(admission.slots).toBe(8);
    // Seven of eight are more than half.
    await Promise.all([0, 1, 2, 3, 4, 5, 6].map(caller));
    expect(admission.slots).toBeLessThan(8);
  });

  it('begins no less at once of what takes as long alone', async () => {
    const atOnce = { first: 8, least: 2, most: 8 };
    const admission = new Admission({ atOnce, targetMs: () => 10, longestWaitMs: 10_000, aTurn: 100 });
    const work = () => admission.run({ names: ['a', 'x'], until: performance.now() + 60_000 }, () => sleep(60));
    for (let times = 0; times < 12; times += 1) await work();
    await Promise.all(Array.from({ length: 60 }, work));
    expect(admission.slots).toBeGreaterThan(5);
  });
});
