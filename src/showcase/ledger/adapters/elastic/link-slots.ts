import { type Interaction, LINK_SLOTS } from '../../click-ledger';
import type { ShowcaseIndex } from './showcase-index';

/** Keeps which clicks by others than its own user count for a link; false where it has no slot left. Again is harmless. */
export function takeSlot(
  index: ShowcaseIndex,
  link: string,
  { store, idempotencyKey, day }: Pick<Interaction, 'store' | 'idempotencyKey' | 'day'>,
): Promise<boolean> {
  return index.change({ kind: 'foreign', store, name: link }, (found) => {
    const clicks = found ? (JSON.parse(found.body) as string[]) : [];
    if (clicks.includes(idempotencyKey)) return { write: null, result: true };
    if (clicks.length >= LINK_SLOTS) return { write: null, result: false };
    return { write: { day, body: JSON.stringify([...clicks, idempotencyKey]) }, result: true };
  });
}
