/**
 * Ids of products, SKUs, shoppers and sales channels are opaque: any text of 1 to 256 characters. Refused is only what
 * would not come back as it went in: NUL, where SQLite ends a text, and half a surrogate pair, which UTF-8 can't carry.
 */
export function isId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= LONGEST_ID &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

const LONGEST_ID = 256;

/** What `isId` accepts, for messages. */
export const ID_RULE = `a text of 1 to ${LONGEST_ID} characters, without NUL or broken surrogates`;
