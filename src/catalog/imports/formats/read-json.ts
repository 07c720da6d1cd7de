import { JSONParser } from '@streamparser/json';
import { JobFailure } from '../../../jobs/job-queue';
import { ApiError } from '../../../shared/api-error';
import { type FeedLimits, inMib } from '../limits';
import { beginningOf, type FeedEntry } from './feed-format';
import { objectRow, refuseDeep } from './object-row';

const PIECE = 65_536;

/** A list, or `{ "products": [...] }`, of any length: one product is held at a time. What is no JSON fails, however much came before. */
export async function* readJson(bytes: AsyncIterable<Buffer>, limits: FeedLimits): AsyncGenerator<FeedEntry[]> {
  let parser: JSONParser | null = null;
  let found: FeedEntry[] = [];
  let line = 0;
  let sinceLast = 0;
  const take = (value: unknown): void => {
    line += 1;
    sinceLast = 0;
    found.push(entryOf(line, value));
  };
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; from += PIECE) {
      const piece = chunk.subarray(from, from + PIECE);
      parser ??= parserFor(piece, take);
      sinceLast += piece.length;
      write(parser, piece);
      if (sinceLast > limits.withoutEnd) {
        throw new JobFailure(
          `No product ends within ${inMib(limits.withoutEnd)} of JSON: a list of products is required`,
        );
      }
      if (found.length > 0) yield found;
      found = [];
    }
  }
  finish(parser);
}

/** Null: so far there is only white space. */
function parserFor(piece: Buffer, take: (value: unknown) => void): JSONParser | null {
  const first = piece.toString('latin1').trimStart()[0];
  if (first === undefined) return null;
  if (first !== '[' && first !== '{') throw new JobFailure('The JSON is neither a list nor an object with "products"');
  const parser = new JSONParser({ paths: [first === '[' ? '$.*' : '$.products.*'], keepStack: false });
  parser.onValue = ({ value }) => take(value);
  return parser;
}

function write(parser: JSONParser | null, piece: Buffer): void {
  try {
    parser?.write(piece);
  } catch (error) {
    throw broken(error);
  }
}

function finish(parser: JSONParser | null): void {
  if (parser === null) throw new JobFailure('The feed is empty');
  if (parser.isEnded) return;
  throw new JobFailure('The JSON is cut off: it ends in the middle. Send the whole file');
}

/** Leaves out what the parser quotes of the feed. */
const broken = (error: unknown): JobFailure =>
  new JobFailure(`The feed is not valid JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 200)}`);

function entryOf(line: number, value: unknown): FeedEntry {
  try {
    refuseDeep(value);
    return { line, row: objectRow(value) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const text = error.code === 'too_deep' ? '' : beginningOf(JSON.stringify(value) ?? '');
    return { line, problem: error, text };
  }
}
