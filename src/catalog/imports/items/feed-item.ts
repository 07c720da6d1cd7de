import { ApiError } from '../../../shared/api-error';
import { ID_RULE, isId } from '../../../shared/ids';
import { textOf } from '../../product/sent-values';
import type { FeedFormat, FeedRow } from '../formats/feed-format';
import type { TextContext } from './fields';
import { type FeedMapping, mapped } from './feed-mapping';
import { googleProduct, isGoogle } from './google-product';
import { columnNames } from './table-columns';
import { tableProduct } from './table-product';

/** A product of a feed, or a variant of one, as fields of a product. */
export interface FeedItem {
  /** Of the product: items with the same one are one product. */
  productId: string;
  channel: string | null;
  /** One of several variants of the product. */
  grouped: boolean;
  fields: FeedRow;
}

export interface ItemContext extends TextContext {
  format: FeedFormat;
  mapping: FeedMapping | null;
  /** By the field of the product: the column it is in. */
  columns: Readonly<Record<string, string>>;
}

/** Reads rows as products. Made for one feed: what its columns mean is found out once. */
export function itemReader(context: ItemContext): (row: FeedRow) => FeedItem {
  const names = columnNames(context.columns);
  const read = (row: FeedRow): Record<string, unknown> => {
    if (isGoogle(context.format)) return googleProduct(row, context);
    return context.format === 'csv' ? tableProduct(row, names, context) : { ...row };
  };
  return (row) => {
    const fields = mapped(read(row), row, context);
    const group = isGoogle(context.format) ? textOf(row['item_group_id']) : null;
    const productId = idOf(group ?? fields['id'], group === null ? 'id' : 'item_group_id');
    return { productId, channel: channelOf(fields['salesChannel']), grouped: group !== null, fields };
  };
}

function idOf(value: unknown, name: string): string {
  const id = typeof value === 'number' ? String(value) : value;
  if (isId(id)) return id;
  throw new ApiError('invalid_body', `${name}: an id is required: ${ID_RULE}`);
}

const channelOf = (value: unknown): string | null => (isId(value) ? value : null);
