import { Coalesced } from './coalesced';

describe('a coalesced call', () => {
  it('begins after everybody who shares it has asked', async () => {
    let calls = 0;
    const ends: (() => void)[] = [];
    const shared = new Coalesced(async () => {
      calls += 1;
      const call = calls;
      await new Promise<void>((end) => ends.push(end));
      return call;
    });
    const first = shared.run();
    const [second, third] = [shared.run(), shared.run()];
    ends.shift()?.();
    expect(await first).toBe(1);
    await new Promise((done) => setImmediate(done));
    const fourth = shared.run();
    ends.shift()?.();
    expect(await Promise.all([second, third])).toEqual([2, 2]);
    await new Promise((done) => setImmediate(done));
    ends.shift()?.();
    expect(await fourth).toBe(3);
  });

  it('fails for those who share it alone', async () => {
    let fails = true;
    const shared = new Coalesced(async () => {
      if (fails) throw new Error('no');
      return 'yes';
    });
    const first = shared.run();
    const second = shared.run();
    fails = false;
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe('yes');
    expect(await shared.run()).toBe('yes');
  });
});
