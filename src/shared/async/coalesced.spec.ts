import { Coalesced } from './coalesced';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

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
    const endCall = async (): Promise<void> => {
      ends.shift()?.();
      await turn();
    };
    const first = [shared.run(), shared.run()];
    await turn();
    const second = [shared.run(), shared.run()];
    await endCall();
    expect(await Promise.all(first)).toEqual([1, 1]);
    const third = shared.run();
    await endCall();
    expect(await Promise.all(second)).toEqual([2, 2]);
    await endCall();
    expect(await third).toBe(3);
  });

  it('fails for those who share it alone', async () => {
    let fails = true;
    const shared = new Coalesced(async () => {
      await turn();
      if (fails) throw new Error('no');
      return 'yes';
    });
    const first = shared.run();
    await Promise.resolve();
    const second = shared.run();
    await expect(first).rejects.toThrow('no');
    fails = false;
    expect(await second).toBe('yes');
    expect(await shared.run()).toBe('yes');
  });
});
