export interface Patience {
  fetch: (request: Request) => Promise<Response>;
  /** Of one try. */
  timeoutMs: number;
  retries: number;
}

const FIRST_PAUSE_MS = 200;
/** Whoever is told to come back later than this is told so. */
const LONGEST_PAUSE_MS = 15_000;

/** Not now: too many requests, or a dependency is away. */
const LATER = [429, 503];

/** What makes something new is not repeated: nobody knows whether it was made. All else counts once, however often it is sent. */
const repeatable = ({ method, url }: Request): boolean =>
  method !== 'POST' || !new URL(url).pathname.startsWith('/admin/');

/** A fetch that tries again what was not answered, or is to be asked later, with growing pauses and as `Retry-After` says. */
export function patientFetch({ fetch, timeoutMs, retries }: Patience): (request: Request) => Promise<Response> {
  return async (request) => {
    const most = repeatable(request) ? retries : 0;
    for (let tried = 0; ; tried += 1) {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
      let pause = FIRST_PAUSE_MS * 2 ** tried * (1 + Math.random());
      try {
        // The body is read with each try.
        const response = await fetch(new Request(request.clone(), { signal }));
        if (!LATER.includes(response.status) || tried >= most) return response;
        pause = Math.max(pause, Number(response.headers.get('retry-after') ?? 0) * 1000);
        if (!(pause <= LONGEST_PAUSE_MS)) return response;
        await response.body?.cancel();
      } catch (error) {
        if (request.signal.aborted || tried >= most) throw error;
      }
      await slept(pause, request.signal);
    }
  };
}

function slept(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal.addEventListener('abort', aborted, { once: true });
  });
}
