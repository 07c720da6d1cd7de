import type { Sample } from './findings';
import { hashOf, SeenHashes } from './seen-hashes';

/** EANs looked at closely: more than so many in one catalog that seem to be shared are a mistake that shows among these, too. */
const MOST_SUSPECTS = 200_000;

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
