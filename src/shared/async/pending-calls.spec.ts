import { PendingCalls } from './pending-calls';

describe('pending calls', () => {
  it('are answered by number, each once', async () => {
    const calls = new PendingCalls();
    const ids: number[] = [];
    const a = calls.add((id) => ids.push(id));
    const b = calls.add((id) => ids.push(id));
    expect([calls.size, new Set(ids).size]).toEqual([2, 2]);
    expect(calls.oldestMs).toBeGreaterThan(0);
    calls.resolve(ids[1] ?? 0, 'b');
    calls.reject(ids[0] ?? 0, new Error('a failed'));
    calls.resolve(ids[0] ?? 0, 'late');
    expect(await b).toBe('b');
    await expect(a).rejects.toThrow('a failed');
    expect([calls.size, calls.oldestMs]).toEqual([0, 0]);
  });

  it('fail where they cannot be sent, and nothing waits for their reply', async () => {
    const calls = new PendingCalls();
    const send = (): never => {
      throw new Error('cannot be sent');
    };
    await expect(calls.add(send)).rejects.toThrow('cannot be sent');
    expect(calls.size).toBe(0);
  });

  it('that nobody waits for any more are forgotten, whatever is answered', () => {
    const calls = new PendingCalls();
    const ids: number[] = [];
    void calls.add((id) => ids.push(id));
    calls.forget(ids[0] ?? 0);
    expect(calls.size).toBe(0);
    expect(() => calls.resolve(ids[0] ?? 0, 'late')).not.toThrow();
  });

  it('all fail where the thread has ended', async () => {
    const calls = new PendingCalls();
    const both = Promise.allSettled([calls.add(() => undefined), calls.add(() => undefined)]);
    calls.rejectAll(new Error('ended'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
