import { JobFailure } from '../../../jobs/job-queue';

const BOMS: readonly [Buffer, string][] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/** In what is not UTF-8: the one that spreadsheets write. */
const FALLBACK = 'windows-1252';

/** Its tables are half a megabyte: loaded with the first feed. */
const iconv = (): typeof import('iconv-lite') => require('iconv-lite') as typeof import('iconv-lite');

export const isEncoding = (name: string): boolean => iconv().encodingExists(name);

export const decodedText = (bytes: Buffer, encoding: string): string => iconv().decode(bytes, encoding);

/** As a byte order mark, the zeros of UTF-16 or the declaration of an XML document says; null: nothing does. */
export function declaredEncoding(head: Buffer): string | null {
  for (const [mark, name] of BOMS) if (head.subarray(0, mark.length).equals(mark)) return name;
  const [first, second, third, fourth] = head;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head.toString('latin1'))?.[1];
  if (declared === undefined || declared.toLowerCase() === 'utf-16') return null;
  if (!isEncoding(declared)) throw new JobFailure(`The XML says its encoding is "${declared}", which is not known`);
  return declared.toLowerCase();
}

/** Of a text that does not say: UTF-8 where all of it is, else Windows-1252. */
export async function guessedEncoding(bytes: AsyncIterable<Buffer>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return FALLBACK;
  }
}

/** The same text as UTF-8, without a byte order mark. */
export async function* asUtf8(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  // Another decoder of UTF-8 would have to hold back what a chunk cuts in two; readers do that themselves.
  if (/^utf-?8$/i.test(encoding)) return yield* withoutMark(bytes);
  const decoder = iconv().getDecoder(encoding);
  for await (const chunk of bytes) {
    const text = decoder.write(chunk);
    if (text !== '') yield Buffer.from(text);
  }
  const rest = decoder.end() ?? '';
  if (rest !== '') yield Buffer.from(rest);
}

async function* withoutMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | null = Buffer.alloc(0);
  const cut = (head: Buffer): Buffer => (head.subarray(0, 3).equals(BOMS[0]?.[0] ?? head) ? head.subarray(3) : head);
  for await (const chunk of bytes) {
    if (held === null) {
      yield chunk;
      continue;
    }
    const head: Buffer = Buffer.concat([held, chunk]);
    held = head.length < 3 ? head : null;
    if (held === null) yield cut(head);
  }
  if (held && held.length > 0) yield held;
}
