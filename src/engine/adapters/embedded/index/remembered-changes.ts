/** Removed products are remembered until this many changes have passed, by when no late write can be under way. */
export const REMEMBERED_CHANGES = 200_000;
