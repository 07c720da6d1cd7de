import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure, isSignedOut, SIGNED_IN } from './client.ts';

export interface Loaded<T> {
  /** The newest that was read; it stays while it is read again, and where that fails. */
  data: T | undefined;
  error: ApiFailure | undefined;
  loading: boolean;
  reload(): void;
}

/** What several people change: each sees soon what another did. */
export const SHARED = { everyMs: 5000 };

const failure = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : new ApiFailure(0, 'unknown', String(error));

/**
 * What `read` answers, read again when `key` changes, when the window is looked at again and every `everyMs`. A key of null reads nothing.
 * What came for an older key is dropped. Nobody is asked while nobody is signed in, unless it is `forAnybody`.
 */
export function useLoaded<T>(
  key: string | null,
  read: (signal: AbortSignal) => Promise<T>,
  { everyMs, forAnybody = false }: { everyMs?: number; forAnybody?: boolean } = {},
): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data?: T; error?: ApiFailure }>({ key: null });
  const [turn, setTurn] = useState(0);
  const reader = useRef(read);
  reader.current = read;
  const reload = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    if (key === null) return undefined;
    const aborted = new AbortController();
    reader.current(aborted.signal).then(
      (data) => {
        if (!aborted.signal.aborted) setState({ key, data });
      },
      (error: unknown) => {
        if (aborted.signal.aborted) return;
        setState((before) => ({ ...(before.key === key ? before : {}), key, error: failure(error) }));
      },
    );
    return () => aborted.abort();
  }, [key, turn]);

  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible' && (forAnybody || !isSignedOut())) reload();
    };
    document.addEventListener('visibilitychange', look);
    addEventListener(SIGNED_IN, look);
    const timer = everyMs === undefined ? undefined : setInterval(look, everyMs);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener(SIGNED_IN, look);
      clearInterval(timer);
    };
  }, [everyMs, forAnybody, reload]);

  const current = state.key === key ? state : undefined;
  const loading = key !== null && current === undefined;
  return { data: current?.data, error: current?.error, loading, reload };
}

export interface Action<A extends readonly unknown[]> {
  /** Answers whether it was done. */
  run(...args: A): Promise<boolean>;
  running: boolean;
  error: ApiFailure | undefined;
  clear(): void;
}

/** Something that a button does: whether it is under way, and how it failed. */
export function useAction<A extends readonly unknown[]>(work: (...args: A) => Promise<unknown>): Action<A> {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<ApiFailure>();
  const worker = useRef(work);
  worker.current = work;
  const run = useCallback(async (...args: A): Promise<boolean> => {
    setRunning(true);
    setError(undefined);
    try {
      await worker.current(...args);
      return true;
    } catch (thrown) {
      setError(failure(thrown));
      return false;
    } finally {
      setRunning(false);
    }
  }, []);
  const clear = useCallback(() => setError(undefined), []);
  return { run, running, error, clear };
}
