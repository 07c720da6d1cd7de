import { z } from 'zod';
import { single } from '../../http/fields';
import { isEncoding } from './formats/encoding';
import { feedFormats } from './formats/feed-format';

/** A tab can't well be written in an address. */
const delimiter = z
  .string()
  .transform((text) => (text === 'tab' || text === '\\t' ? '\t' : text))
  .refine((text) => text.length === 1, 'one character is required, or "tab"');

const encoding = z
  .string()
  .refine(isEncoding, 'a known encoding is required, such as utf-8, utf-16le, windows-1252 or iso-8859-1');

/** `price:preco,url:endereco`. */
const columns = z
  .string()
  .regex(
    /^[^:,]+:[^,]+(?:,[^:,]+:[^,]+)*$/,
    'pairs of a field and its column are required, such as price:preco,url:link',
  )
  .transform((text) => Object.fromEntries(text.split(',').map((pair) => pairOf(pair))));

function pairOf(pair: string): [string, string] {
  const colon = pair.indexOf(':');
  return [pair.slice(0, colon).trim(), pair.slice(colon + 1).trim()];
}

export const formatField = z.enum(feedFormats, { error: `one of ${feedFormats.join(', ')} is required` });

/** How a feed is to be read. */
export const syntaxFields = {
  format: single(formatField.optional()).meta({
    description: 'Found out from the feed where it is absent',
    example: 'ndjson',
  }),
  encoding: single(encoding.optional()).meta({
    description: 'Of a table; found out where it is absent',
    example: 'windows-1252',
  }),
  delimiter: single(delimiter.optional()).meta({
    description: 'Of a table: one character, or `tab`; found out where it is absent',
    example: 'tab',
  }),
  quote: single(z.string().length(1, 'one character is required').optional()).meta({
    description: 'Of a table; found out where it is absent',
    example: "'",
  }),
  columns: single(columns.optional()).meta({
    description: 'Of a table: fields and the columns they are in',
    example: 'price:preco,url:endereco',
  }),
};
export const syntaxQuery = z.object(syntaxFields);
export type SyntaxQuery = z.output<typeof syntaxQuery>;
