import { type Interaction, LINK_SLOTS } from '../../click-ledger';
import type { ShowcaseIndex } from './showcase-index';

/** Takes one of the slots that a link has for clicks of others; false where none is left. Taking it again is harmless. */
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
