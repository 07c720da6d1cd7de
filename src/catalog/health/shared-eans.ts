import type { Sample } from './findings';

const BITS = 24;
/** EANs looked at closely: more than so many in one catalog that seem to be shared are a mistake that shows among these, too. */
const MOST_SUSPECTS = 200_000;

/** One bit for each hash. */
class SeenHashes {
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
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1);
}

interface Holder {
  sample: Sample;
  isCounted: boolean;
}

/**
 * Products that share an EAN, in memory that does not grow with the catalog: a first pass notes in 4 MiB which EANs may be there twice, a second
 * one remembers those alone.
 */
export class SharedEans {
  private readonly once = new SeenHashes();
  private readonly twice = new SeenHashes();
  private readonly holders = new Map<string, Holder>();

  /** First pass, with every product. */
  mark(eans: readonly string[]): void {
    for (const hash of eans.map(hashOf)) if (this.once.set(hash)) this.twice.set(hash);
  }

  /** Second pass, with every product: those that are found to share one now, this one or an earlier one. */
  found(eans: readonly string[], sample: Sample): Sample[] {
    const own: Holder = { sample, isCounted: false };
    const found: Sample[] = [];
    const count = (holder: Holder, ean: string): void => {
      if (!holder.isCounted) found.push({ ...holder.sample, ean });
      holder.isCounted = true;
    };
    for (const ean of eans) {
      if (!this.twice.has(hashOf(ean))) continue;
      const other = this.holders.get(ean);
      if (!other) {
        if (this.holders.size < MOST_SUSPECTS) this.holders.set(ean, own);
        continue;
      }
      count(other, ean);
      count(own, ean);
    }
    return found;
  }
}
