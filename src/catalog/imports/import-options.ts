import { z } from 'zod';
import { lowerCased, single } from '../../http/fields';
import { isEncoding } from './formats/encoding';
import { feedFormats } from './formats/feed-format';

export const importModes = ['full', 'partial'] as const;

const flag = z.preprocess(
  lowerCased,
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1')
    .default(false),
);

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
export const modeField = z.enum(importModes, { error: `one of ${importModes.join(', ')} is required` });

/** How a feed is to be read. */
const syntaxFields = {
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

/** Parameters of an import. */
export const importQuery = z.object({
  mode: single(modeField).meta({
    description:
      '`full`: what the feed no longer has is removed. `partial`: the fields sent are merged into each product',
    example: 'full',
  }),
  force: flag.meta({
    description: 'Whether a full import may remove more than half of the catalog',
    example: 'true',
  }),
  dryRun: flag.meta({
    description: 'Nothing is written; the result says what would happen, with samples',
    example: 'true',
  }),
  upload: single(z.string().max(100).optional()).meta({
    description: 'The id of an upload, whose pieces are the feed; there is no body then',
    example: '4f3c1c1e-6f0e-4a53-9a43-0f6b3f8d3c11',
  }),
  mapping: single(z.string().max(100).optional()).meta({
    description: 'A saved mapping, by its name',
    example: 'erp',
  }),
  ...syntaxFields,
});
export type ImportQuery = z.output<typeof importQuery>;
