import { Readable } from 'node:stream';
import { CsvError, type InfoRecord, parse } from 'csv-parse';
import { JobFailure } from '../../../jobs/job-queue';
import { ApiError } from '../../../shared/api-error';
import { type FeedLimits, inMib } from '../limits';
import { beginningOf, type FeedEntry, ROWS_AT_ONCE } from './feed-format';

/** csv-parse counts characters; the longest row has at least as many bytes. */
interface TableSyntax {
  delimiter: string;
  quote: string;
}

interface Parsed {
  record: string[];
  info: InfoRecord;
}

/** Rows below a row of names; empty cells count as absent. `text` is UTF-8. */
export async function* readTable(
  text: AsyncIterable<Buffer>,
  { delimiter, quote }: TableSyntax,
  limits: FeedLimits,
): AsyncGenerator<FeedEntry[]> {
  let header: string[] | null = null;
  let batch: FeedEntry[] = [];
  for await (const { record, info } of records(text, { delimiter, quote }, limits)) {
    if (!header) {
      header = headerOf(record);
      continue;
    }
    batch.push(entryOf(header, record, info.lines));
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (!header) throw new JobFailure('The feed is empty: its first row has to name the columns');
  if (batch.length > 0) yield batch;
}

async function* records(
  text: AsyncIterable<Buffer>,
  { delimiter, quote }: TableSyntax,
  limits: FeedLimits,
): AsyncGenerator<Parsed> {
  const parser = parse({
    bom: true,
    delimiter,
    quote: quote === '' ? false : quote,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.withoutEnd,
  });
  const source = Readable.from(text, { objectMode: false });
  source.once('error', (error) => parser.destroy(error));
  try {
    for await (const parsed of source.pipe(parser)) yield parsed as Parsed;
  } catch (error) {
    throw error instanceof CsvError ? tableFailure(error, limits) : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** Where a quote stays open nothing after it can be told apart. */
function tableFailure(error: CsvError, limits: FeedLimits): JobFailure {
  const line = String(error['lines'] ?? '?');
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new JobFailure(`No row ends within ${inMib(limits.withoutEnd)} before line ${line}: is a quote left open?`);
  }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new JobFailure(`A quote is left open: the feed ends within it, at line ${line}`);
  return new JobFailure(`The table can't be read at line ${line}: ${error.code}`);
}

function headerOf(record: string[]): string[] {
  const names = record.map((name) => name.trim());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new JobFailure(`Two columns are called "${twice}": each needs a name of its own`);
  if (names.every((name) => name === '')) throw new JobFailure('The first row has to name the columns');
  return names;
}

function entryOf(header: readonly string[], record: readonly string[], line: number): FeedEntry {
  const extra = record.slice(header.length).some((cell) => cell.trim() !== '');
  if (record.length < header.length || extra) {
    const message = `The row has ${record.length} cells, the row of names ${header.length}`;
    return { line, problem: new ApiError('invalid_body', message), text: beginningOf(record.join(' | ')) };
  }
  const cells = header.map((name, index): [string, string] => [name, record[index]?.trim() ?? '']);
  return { line, row: Object.fromEntries(cells.filter(([name, cell]) => name !== '' && cell !== '')) };
}
