import { randomBytes } from 'node:crypto';

const DRAWN_AT_ONCE = 4096;

/**
 * Random bytes for what is public once it is used, such as the nonce of a cipher, drawn many at once: to ask the system takes longer than to
 * encrypt what is signed with one. Not for secrets, for what was drawn stays in memory.
 */
export class Nonces {
  private drawn = Buffer.alloc(0);
  private used = 0;

  constructor(private readonly bytes: number) {}

  /** Bytes that no other one has. */
  next(): Buffer {
    if (this.used + this.bytes > this.drawn.length) {
      this.drawn = randomBytes(DRAWN_AT_ONCE);
      this.used = 0;
    }
    this.used += this.bytes;
    return this.drawn.subarray(this.used - this.bytes, this.used);
  }
}
