import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { channelsOf, viewIn } from '../../catalog/product/channel-view';
import { numberOf, objectOf, objectsOf } from '../../catalog/product/sent-values';
import type { Sent } from '../../catalog/product/product';
import type { Store } from '../../stores/store';
import { toMicros } from '../../shared/micros';
import type { OrderLine } from './order-state';

/** The most that a page may say a piece has cost, as a multiple of the highest price on record: instalments and extras come on top. */
const MOST_PRICES = 10;
/** The most pieces that a page may say were bought. */
const MOST_PIECES = 1000;

/** What a page says was paid, which anybody can make up, held to what the product can have cost. */
@Injectable()
export class PlausibleAmounts {
  constructor(private readonly records: CatalogRecords) {}

  /** The lines, none larger than plausible. What has no price on record counts as nothing. */
  async bounded(store: Store, lines: readonly OrderLine[]): Promise<OrderLine[]> {
    const records = await this.records.read(
      store.id,
      lines.map(({ product }) => product),
    );
    return lines.map((line, index) => {
      const record = records[index];
      const views = record ? [null, ...channelsOf(record)].map((channel) => viewIn(record, channel)) : [];
      const price = Math.max(0, ...views.flatMap((view) => (view ? pricesOf(view.sent) : [])));
      const quantity = Math.min(line.quantity, MOST_PIECES);
      return { ...line, quantity, amount: Math.min(line.amount, toMicros(price * MOST_PRICES * quantity)) };
    });
  }
}

function pricesOf(sent: Sent): number[] {
  const skus = objectsOf(sent['skus']);
  const offers = [sent, ...skus, ...skus.map(({ properties }) => objectOf(properties) ?? {})];
  return offers.flatMap(({ price, oldPrice }) => [numberOf(price) ?? 0, numberOf(oldPrice) ?? 0]);
}
