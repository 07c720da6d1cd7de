/** Thrown by `within` where nothing else is said. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

/**
 * What `work` answers, or the error of `late` after `ms` milliseconds. The work goes on then; nobody hears of how it ends.
 *
 * Own code instead of p-timeout: where this process itself was held up, an answer may be there and not yet be read. The event loop reads
 * it before it runs a `setImmediate`, so an answer that is there wins over the timer. It also runs with every command to Redis.
 *
 * A timer of Node leaves out fractions of a millisecond, of its length and of the time it starts at. So it may end before `ms` have passed, and is
 * set again then.
 */
export function within<T>(
  ms: number,
  work: Promise<T>,
  late: () => Error = () => new TooLate(`No answer within ${ms} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const until = performance.now() + ms;
    const end = (): void => {
      if (performance.now() < until) timer = setTimeout(end, 1);
      else setImmediate(() => reject(late()));
    };
    let timer = setTimeout(end, ms);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
