import { headOf } from '../unpack/unpack';
import { declaredEncoding, decodedText, guessedEncoding } from './encoding';
import type { FeedFormat, FeedSyntax, FoundSyntax } from './feed-format';

/** Enough for a long row of names. */
const HEAD = 65_536;
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Columns of which a Google feed has at least these. */
const GOOGLE_COLUMNS = ['id', 'title', 'link'];

type Read = () => AsyncIterable<Buffer>;

/** Finds out what was not said: format and encoding, and of a table its delimiter and quotes. `read` gives the unpacked feed from its beginning. */
export async function findSyntax(read: Read, said: FeedSyntax): Promise<FoundSyntax> {
  const head = await headOf(read(), HEAD);
  const declared = said.encoding ?? declaredEncoding(head);
  const text = decodedText(head, declared ?? 'latin1').replace(/^\uFEFF/, '');
  const firstLine = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? '';
  const format = said.format ?? formatOf(text, firstLine, said.delimiter);
  const quote = said.quote ?? quoteOf(firstLine);
  const delimiter = said.delimiter ?? (format === 'google-tsv' ? '\t' : delimiterOf(firstLine, quote));
  const isTable = format === 'csv' || format === 'google-tsv';
  const encoding = declared ?? (isTable ? await guessedEncoding(read()) : 'utf-8');
  return { format, encoding, delimiter, quote };
}

function formatOf(text: string, firstLine: string, delimiter: string | undefined): FeedFormat {
  const first = text.trimStart()[0];
  if (first === '<') return 'google-xml';
  if (first === '[') return 'json';
  if (first === '{') return isJson(firstLine) && !/^\{\s*"products"\s*:/.test(firstLine) ? 'ndjson' : 'json';
  if ((delimiter ?? delimiterOf(firstLine, quoteOf(firstLine))) !== '\t') return 'csv';
  const names = new Set(firstLine.split('\t').map((name) => name.replaceAll('"', '').trim().toLowerCase()));
  return GOOGLE_COLUMNS.every((name) => names.has(name)) ? 'google-tsv' : 'csv';
}

/** A line of NDJSON is JSON by itself; one that is longer than what was looked at may well be. */
function isJson(line: string): boolean {
  if (line.length >= HEAD - 4) return true;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const quoteOf = (firstLine: string): string => (firstLine.startsWith("'") ? "'" : '"');

/** The one that divides the row of names into most parts; within quotes it divides nothing. */
function delimiterOf(firstLine: string, quote: string): string {
  const bare = firstLine
    .split(quote)
    .filter((_, index) => index % 2 === 0)
    .join('');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
