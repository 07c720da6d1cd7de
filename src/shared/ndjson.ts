const NEWLINE = 0x0a;

/** A line of an NDJSON stream. */
export interface NdjsonLine {
  /** From 1, blank lines counted. */
  number: number;
  /** Null: it was longer than accepted and was skipped. */
  bytes: Buffer | null;
  /** Where the next line begins, in bytes. */
  end: number;
}

export interface LineLimits {
  /** Bytes of the longest line accepted. */
  longest: number;
  /** A batch ends at this many lines, */
  lines: number;
  /** or at this many bytes, whichever comes first. Default: no limit. */
  bytes?: number;
}

/**
 * The lines of a stream in batches, blank ones left out. No more than a batch and one line of the accepted length is held, and nothing more
 * is read while a batch is worked on, so that memory stays fixed.
 */
export async function* lineBatches(
  stream: AsyncIterable<Buffer | string>,
  { longest, lines, bytes = Infinity }: LineLimits,
): AsyncGenerator<NdjsonLine[]> {
  const cutter = new LineCutter(longest);
  let batch: NdjsonLine[] = [];
  let size = 0;
  for await (const chunk of stream) {
    for (const line of cutter.cut(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) {
      batch.push(line);
      size += line.bytes?.length ?? 0;
      if (batch.length < lines && size < bytes) continue;
      yield batch;
      batch = [];
      size = 0;
    }
  }
  batch.push(...cutter.finish());
  if (batch.length > 0) yield batch;
}

/** Cuts chunks into lines, holding no more than one line of the accepted length. */
class LineCutter {
  private pieces: Buffer[] = [];
  private length = 0;
  private number = 0;
  private end = 0;

  constructor(private readonly longest: number) {}

  *cut(chunk: Buffer): Generator<NdjsonLine> {
    let start = 0;
    for (let newline = chunk.indexOf(NEWLINE); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, newline));
      this.end += 1;
      yield* this.finish();
      start = newline + 1;
    }
    this.add(chunk.subarray(start));
  }

  *finish(): Generator<NdjsonLine> {
    const bytes = this.length > this.longest ? null : Buffer.concat(this.pieces);
    this.pieces = [];
    this.length = 0;
    this.number += 1;
    if (bytes === null || !isBlank(bytes)) yield { number: this.number, bytes, end: this.end };
  }

  private add(piece: Buffer): void {
    this.length += piece.length;
    this.end += piece.length;
    if (this.length > this.longest) this.pieces = [];
    else if (piece.length > 0) this.pieces.push(piece);
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
