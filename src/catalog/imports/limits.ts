/** How much of a feed is held, read or believed. Sizes are bytes. */
export interface FeedLimits {
  /** Of a body as it was sent. */
  body: number;
  /** Of what a compressed body becomes. */
  expanded: number;
  /** A body that becomes more than this many times its size is no feed, */
  ratio: number;
  /** once it has become so much: short feeds may well repeat themselves. */
  ratioFrom: number;
  /** Of one product, as a row, a line or an element. */
  item: number;
  /** Read in which no product, row or element ends: it is refused before it fills the memory. */
  withoutEnd: number;
}

const MIB = 1024 ** 2;

export const FEED_LIMITS: FeedLimits = {
  body: 4096 * MIB,
  expanded: 16_384 * MIB,
  ratio: 200,
  ratioFrom: 64 * MIB,
  item: MIB,
  withoutEnd: 16 * MIB,
};

export const inMib = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`;
