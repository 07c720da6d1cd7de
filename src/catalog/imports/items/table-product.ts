import type { FeedRow } from '../formats/feed-format';
import { setField, type TextContext } from './fields';
import { bare } from './table-columns';

/** Objects whose parts may be columns: `images.side`, `details.colour`. */
const WITH_PARTS = /^(images|details|specs|installment|rating|customBusiness)\.(.+)$/;

/** A row of a table as a product: columns that are no field of a product are details. The first column of a field counts. */
export function tableProduct(
  row: FeedRow,
  names: ReadonlyMap<string, string>,
  context: TextContext,
): Record<string, unknown> {
  const product: Record<string, unknown> = {};
  const details: Record<string, unknown> = {};
  const set = new Set<string>();
  for (const [column, cell] of Object.entries(row)) {
    const field = names.get(bare(column)) ?? (WITH_PARTS.test(column) ? column : null);
    if (field === null) details[column] = cell;
    else if (!set.has(field)) setField(product, field, cell, context);
    if (field !== null) set.add(field);
  }
  if (Object.keys(details).length > 0)
    product['details'] = { ...details, ...(product['details'] as object | undefined) };
  return product;
}
