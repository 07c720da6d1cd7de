import { z } from 'zod';
import { textOf } from '../../product/sent-values';
import type { FeedRow } from '../formats/feed-format';
import { setField, type TextContext } from './fields';

const FIELD = /^[A-Za-z][\w-]*(?:\.[^.]+){0,3}$/;
const fieldName = z
  .string()
  .max(200)
  .regex(FIELD, 'a field of the product is required, such as price, images.default or details.colour');

/** Where a store's feed has the fields of a product, and what its values stand for (contract 8). */
export const mappingSchema = z.strictObject({
  fields: z
    .record(fieldName, z.string().min(1).max(1000))
    .default({})
    .describe(
      'By the field of the product: the name it has in the feed, or a text with names in braces, such as `{link}?utm=feed`',
    ),
  values: z
    .record(fieldName, z.record(z.string().max(200), z.string().max(1000)))
    .default({})
    .describe('By the field of the product: what the texts of the feed stand for'),
});
export type FeedMapping = z.output<typeof mappingSchema>;

interface MappedContext extends TextContext {
  mapping: FeedMapping | null;
}

/** The product with what the mapping says of its fields. `row`: as the feed has it; names of inner fields are joined by dots. */
export function mapped(
  product: Record<string, unknown>,
  row: FeedRow,
  context: MappedContext,
): Record<string, unknown> {
  const { mapping } = context;
  if (!mapping) return product;
  for (const name of sourcesOf(mapping)) forget(product, name, mapping);
  for (const [field, source] of Object.entries(mapping.fields)) {
    const value = valueOf(source, row);
    if (value !== null) setField(product, field, translated(value, mapping.values[field]), context);
  }
  for (const [field, values] of Object.entries(mapping.values)) {
    if (field in mapping.fields) continue;
    const value = at(product, field) ?? at(row, field);
    const text = textOf(value);
    if (text !== null && Object.hasOwn(values, text)) setField(product, field, values[text], context);
  }
  return product;
}

/** Whatever text a template has names in braces from; a plain name is one. */
const sourcesOf = ({ fields }: FeedMapping): string[] =>
  Object.values(fields).flatMap((source) => (source.includes('{') ? [] : [source]));

/** A column that was renamed is no detail, too; a field of the feed that only has the wrong name is no field of the product. */
function forget(product: Record<string, unknown>, name: string, { fields }: FeedMapping): void {
  if (!(name in fields)) delete product[name];
  const details = product['details'];
  if (typeof details !== 'object' || details === null || !(name in details)) return;
  const left = Object.entries(details).filter(([detail]) => detail !== name);
  if (left.length > 0) product['details'] = Object.fromEntries(left);
  else delete product['details'];
}

function valueOf(source: string, row: FeedRow): unknown {
  if (!source.includes('{')) return at(row, source);
  let missing = false;
  const text = source.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => {
    const value = textOf(at(row, name.trim()));
    missing ||= value === null;
    return value ?? '';
  });
  // Half a text, such as an address without its beginning, is none.
  return missing ? null : text;
}

function translated(value: unknown, values: Readonly<Record<string, string>> | undefined): unknown {
  const text = textOf(value);
  return text !== null && values && Object.hasOwn(values, text) ? values[text] : value;
}

/** By the whole name first: columns may have dots in theirs. Null: nothing. */
function at(row: FeedRow, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path] ?? null;
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as FeedRow)[name];
  }
  return value ?? null;
}
