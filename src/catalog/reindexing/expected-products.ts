import { EVERY_CHANNEL } from '../../engine/channels';
import type { EngineDocument, EngineProduct } from '../../engine/search-engine';

/** Products that can be found in a sales channel, and how many of them are available. */
export interface ChannelCount {
  channel: string;
  products: number;
  available: number;
}

/** Names of products that a store without logged searches is tried with. */
const MOST_NAMES = 20;
/** Of so many products one name is taken. */
const NAME_EVERY = 50;

/** What an index must have that was filled with these products: how many are found in each sales channel. */
export class ExpectedProducts {
  /** Of products that are in every channel: how many, and what those channels lack that differ. */
  private everywhere = { products: 0, available: 0 };
  private readonly differences = new Map<string, { products: number; available: number }>();
  readonly names: string[] = [];
  private seen = 0;

  add(products: readonly EngineProduct[]): void {
    for (const { documents } of products) {
      for (const document of documents) this.addDocument(document);
      const [first] = documents;
      if (first && this.seen++ % NAME_EVERY === 0 && this.names.length < MOST_NAMES) this.names.push(first.text.name);
    }
  }

  in(channel: string): ChannelCount {
    const { products, available } = this.differences.get(channel) ?? { products: 0, available: 0 };
    return {
      channel,
      products: this.everywhere.products + products,
      available: this.everywhere.available + available,
    };
  }

  private addDocument({ channel, excludedChannels, available }: EngineDocument): void {
    const one = { products: 1, available: available ? 1 : 0 };
    if (channel !== EVERY_CHANNEL) return this.differ(channel, one);
    this.everywhere = {
      products: this.everywhere.products + 1,
      available: this.everywhere.available + one.available,
    };
    for (const excluded of excludedChannels) this.differ(excluded, { products: -1, available: -one.available });
  }

  private differ(channel: string, by: { products: number; available: number }): void {
    const { products, available } = this.differences.get(channel) ?? { products: 0, available: 0 };
    this.differences.set(channel, { products: products + by.products, available: available + by.available });
  }
}
