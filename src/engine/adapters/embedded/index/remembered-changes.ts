/** A removed product is remembered for this many changes: longer than any late write is under way. */
export const REMEMBERED_CHANGES = 200_000;
