import { EVENT_BODY_LIMIT } from '../../../http/body-limit';

export interface Line {
  /** 1 for the first. */
  number: number;
  /** Null: longer than an event may be. */
  text: string | null;
  /** Where the next line begins. */
  end: number;
}

const NEWLINE = 0x0a;

/** The lines of an NDJSON stream that hold anything, in fixed memory whatever their length. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;
  let end = 0;
  const add = (piece: Buffer): void => {
    length += piece.length;
    // What is too long already is counted, not kept.
    if (length <= EVENT_BODY_LIMIT) parts.push(piece);
  };
  const finish = (): Line | null => {
    number += 1;
    const text = length <= EVENT_BODY_LIMIT ? Buffer.concat(parts).toString('utf8').trim() : null;
    parts = [];
    length = 0;
    return text === '' ? null : { number, text, end };
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, newline));
      end += newline + 1 - from;
      from = newline + 1;
      const line = finish();
      if (line) yield line;
    }
    add(chunk.subarray(from));
    end += chunk.length - from;
  }
  const last = length > 0 ? finish() : null;
  if (last) yield last;
}

/** The same, some at a time. */
export async function* groupsOf<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of source) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
