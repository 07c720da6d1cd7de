import { setTimeout as sleep } from 'node:timers/promises';
import { admissionUnder } from '../../../test/support/admission';

describe('admission of what is heavy', () => {
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

  it('counts what is heavy until it is over, however long after its answer', async () => {
    const { admission, begun, ask } = admissionUnder({ slots: 100, mostHeavyOf: () => 8, longestWaitMs: 10_000 });
    const flood = { names: ['a', 'flood'], weight: 9 } as const;
    let over: () => void = () => undefined;
    const work = new Promise<void>((resolve) => (over = resolve));
    await expect(admission.run({ ...flood, until: performance.now() + 20 }, () => work)).rejects.toThrow('in time');
    void ask('a1', flood);
    expect([admission.underWay, begun]).toEqual([0, []]);
    over();
    await sleep(1);
    expect(begun).toEqual(['a1']);
  });
});
