import { useEffect, useRef, useState } from 'react';
import { explain, type ExplainedList } from '../shop/demo-api';
import type { Shopper } from '../shop/shopper';
import { useShown } from '../shop/shown';
import { onEvent, type PageEvent } from '../shop/tracker';

/** What became of an event. */
export interface Freshness {
  event: PageEvent['name'];
  /** Until the list was another one; null: it was not within the time. */
  ms: number | null;
  moved: number;
  of: number;
}

const LOOKED_AT = 24;
const EVERY_MS = 20;
const GIVE_UP_MS = 2000;
/** Smaller changes of a score are the passing of time. */
const LEAST_CHANGE = 0.001;

const movedIn = (before: ExplainedList, after: ExplainedList): number =>
  after.products.filter(({ id }, index) => before.products[index]?.id !== id).length;

function isOther(before: ExplainedList, after: ExplainedList): boolean {
  if (movedIn(before, after) > 0) return true;
  return after.products.some(
    ({ score }, index) => Math.abs(score / (before.products[index]?.score ?? score) - 1) > LEAST_CHANGE,
  );
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, EVERY_MS));

/** Asks for the list again and again, from the moment of an event until it is another one. `heard` changes when that is known. */
export function useFreshness(shopper: Shopper): { freshness: Freshness | null; heard: number } {
  const { list } = useShown();
  const [state, setState] = useState<{ freshness: Freshness | null; heard: number }>({ freshness: null, heard: 0 });
  const key = JSON.stringify([list, shopper.ids]);
  const before = useRef<ExplainedList | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const ask = (): Promise<ExplainedList> => explain(list, shopper.ids, { signal, most: LOOKED_AT });
    const watch = async (event: PageEvent, old: ExplainedList): Promise<Freshness> => {
      const start = performance.now();
      for (;;) {
        const now = await ask();
        const ms = performance.now() - start;
        const known = { event: event.name, moved: movedIn(old, now), of: now.products.length };
        before.current = now;
        if (isOther(old, now)) return { ...known, ms: Math.round(ms) };
        if (ms > GIVE_UP_MS) return { ...known, ms: null };
        await pause();
      }
    };
    const told = (freshness: Freshness | null): void => {
      if (!signal.aborted)
        setState(({ heard, freshness: last }) => ({ heard: heard + 1, freshness: freshness ?? last }));
    };
    before.current = null;
    // What fails here is shown by the list itself.
    void ask().then(
      (now) => (before.current ??= now),
      () => undefined,
    );
    const forget = onEvent((event) => {
      const old = before.current;
      void (old ? watch(event, old) : ask().then(() => null)).then(told, () => told(null));
    });
    return () => {
      stop.abort();
      forget();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says which list
  }, [key]);
  return state;
}
