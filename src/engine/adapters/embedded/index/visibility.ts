import { EVERY_CHANNEL, firstChannel } from '../../../channels';
import type { QueryPlan } from '../../../plan/query-plan';
import type { StoreIndex } from './store-index';

/** Which documents a search sees: living, of no product that a rule hides, available where asked, and of each product the one of the first channel it is in. */
export class Visibility {
  private readonly channels: number[];
  private readonly everywhere: number;
  private readonly names: readonly string[];
  private readonly availableOnly: boolean;
  /** Numbers of products; null: nothing is hidden. */
  private readonly hidden: ReadonlySet<number> | null;

  constructor(
    private readonly index: StoreIndex,
    { channels, availableOnly, rules }: Pick<QueryPlan, 'channels' | 'availableOnly' | 'rules'>,
  ) {
    const { vocabulary, columns } = index;
    this.names = channels;
    this.availableOnly = availableOnly;
    const hidden = (rules?.hidden ?? []).flatMap((id) => columns.productNumber(id) ?? []);
    this.hidden = hidden.length > 0 ? new Set(hidden) : null;
    // A channel that no document names still has the documents of every channel.
    this.channels = channels.map((channel) => vocabulary.id(`h${channel}`) ?? -1);
    this.everywhere = vocabulary.id(`h${EVERY_CHANNEL}`) ?? -2;
  }

  sees(row: number): boolean {
    const { columns } = this.index;
    if (columns.alive.data[row] === 0) return false;
    if (this.hidden?.has(columns.product.data[row] ?? 0)) return false;
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
