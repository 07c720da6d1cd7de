const BITS = 24;

/** One bit for each hash. */
export class SeenHashes {
  private readonly bits = new Uint8Array(2 ** (BITS - 3));

  /** Whether it was set before. */
  set(hash: number): boolean {
    const byte = hash >>> 3;
    const bit = 1 << (hash & 7);
    const was = ((this.bits[byte] ?? 0) & bit) !== 0;
    this.bits[byte] = (this.bits[byte] ?? 0) | bit;
    return was;
  }

  has(hash: number): boolean {
    return ((this.bits[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0;
  }
}

/** FNV-1a; its upper bits count, too. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1);
}
