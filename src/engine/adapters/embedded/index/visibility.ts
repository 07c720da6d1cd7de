import { EVERY_CHANNEL, firstChannel } from '../../../channels';
import type { StoreIndex } from './store-index';

/** Which documents a search sees: living, available where asked, and of each product the one of the first channel it is in. */
export class Visibility {
  private readonly channels: number[];
  private readonly everywhere: number;

  constructor(
    private readonly index: StoreIndex,
    private readonly names: readonly string[],
    private readonly availableOnly: boolean,
  ) {
    const { vocabulary } = index;
    // A channel that no document names still has the documents of every channel.
    this.channels = names.map((channel) => vocabulary.id(`h${channel}`) ?? -1);
    this.everywhere = vocabulary.id(`h${EVERY_CHANNEL}`) ?? -2;
  }

  sees(row: number): boolean {
    const { columns } = this.index;
    if (columns.alive.data[row] === 0) return false;
    if (this.availableOnly && columns.available.data[row] === 0) return false;
    const own = this.channelIndex(row);
    if (own < 0) return false;
    if (columns.rowsAreProducts) return true;
    const siblings = columns.rowsOf(columns.product.data[row] ?? 0);
    if (siblings.length < 2) return true;
    for (const sibling of siblings) {
      if (sibling === row) continue;
      const other = this.channelIndex(sibling);
      if (other >= 0 && (other < own || (other === own && sibling < row))) return false;
    }
    return true;
  }

  /** The row of a product that is seen, if any. */
  rowOf(product: number): number | undefined {
    return this.index.columns.rowsOf(product).find((row) => this.sees(row));
  }

  /** The first of the channels asked for that a document is in. */
  channelOf(row: number): string {
    return this.names[this.channelIndex(row)] ?? '';
  }

  /** Index of the first channel asked for that a document is in; -1: none. */
  private channelIndex(row: number): number {
    const { columns } = this.index;
    const exclusion = columns.exclusion.data[row] ?? 0;
    const excluded = exclusion === 0 ? null : (columns.exclusions[exclusion] ?? null);
    return firstChannel(this.channels, columns.channel.data[row] ?? 0, this.everywhere, excluded);
  }
}
