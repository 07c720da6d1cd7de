/** Which documents a search sees: of each product the one of the first channel asked for that it is in. */

/** Stands for every sales channel but the excluded ones. */
export const EVERY_CHANNEL = '*';

/** Index of the first of the channels asked for that a document is in; -1: none. Channels are names, or numbers of names. */
export function firstChannel<C>(
  asked: readonly C[],
  own: C,
  every: C,
  excluded: Pick<ReadonlySet<C>, 'has'> | null,
): number {
  if (own !== every) return asked.indexOf(own);
  return excluded === null ? 0 : asked.findIndex((channel) => !excluded.has(channel));
}
