import { TooLate, within } from './within';

const never = new Promise<never>(() => undefined);

describe('within', () => {
  it('passes on an answer or a failure that comes in time', async () => {
    await expect(within(1000, Promise.resolve('answer'))).resolves.toBe('answer');
    await expect(within(1000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('fails when the time is over, with the error asked for', async () => {
    await expect(within(1, never)).rejects.toThrow(TooLate);
    await expect(within(1, never, () => new Error('too slow'))).rejects.toThrow('too slow');
  });

  it('gives work the whole of its time, fractions of milliseconds too', async () => {
    for (let at = 0; at < 50; at++) {
      const ms = 2 + at / 50;
      const until = performance.now() + ms;
      await expect(within(ms, never)).rejects.toThrow(TooLate);
      expect(performance.now()).toBeGreaterThanOrEqual(until);
    }
  });

  it('takes an answer that was there before the timer could run', async () => {
    const answer = new Promise((resolve) => setImmediate(() => resolve('answer')));
    const limited = within(1, answer);
    for (const until = performance.now() + 20; performance.now() < until;);
    await expect(limited).resolves.toBe('answer');
  });

  it('leaves no unhandled rejection where the work fails later', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    let fail = (_error: Error): void => undefined;
    const work = new Promise<never>((_resolve, reject) => (fail = reject));
    await expect(within(1, work)).rejects.toThrow(TooLate);
    fail(new Error('late'));
    await new Promise((done) => setTimeout(done, 5));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
