import { useCallback, useEffect, useState } from 'react';

export interface Loaded<T> {
  /** Of the last time that it was answered; stays while it is asked for again. */
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  again: () => void;
}

const RETRY_MS = 4000;
const SOON_MS = 1000;

/** Asks when `key` changes, and again by itself while the service does not answer, or what it answers `isUnfinished`. Null: nothing is asked for. */
export function useLoaded<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  isUnfinished?: (data: T) => boolean,
): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data: T | undefined; error: unknown }>();
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((number) => number + 1), []);
  useEffect(() => {
    if (key === null) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    load(stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return;
        setState({ key, data, error: undefined });
        if (isUnfinished?.(data)) timer = setTimeout(again, SOON_MS);
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        setState((before) => ({ key, data: before?.data, error }));
        timer = setTimeout(again, RETRY_MS);
      },
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says what is asked for
  }, [key, turn]);
  return { data: state?.data, error: state?.error, isLoading: key !== null && state?.key !== key, again };
}
