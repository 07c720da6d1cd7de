import { MOST_FOREIGN } from '../../click-ledger';
import type { ShowcaseIndex } from './showcase-index';

/** Keeps which clicks by others than its own user count for a link; false where there is no place left. Again is harmless. */
export function takePlace(
  index: ShowcaseIndex,
  { store, link, once, day }: { store: string; link: string; once: string; day: string },
): Promise<boolean> {
  return index.change({ kind: 'foreign', store, name: link }, (found) => {
    const clicks = found ? (JSON.parse(found.body) as string[]) : [];
    if (clicks.includes(once)) return { write: null, result: true };
    if (clicks.length >= MOST_FOREIGN) return { write: null, result: false };
    return { write: { day, body: JSON.stringify([...clicks, once]) }, result: true };
  });
}
