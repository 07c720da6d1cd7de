import type { Readable } from 'node:stream';

/** A line of an NDJSON stream, blank ones left out. `bytes` null: it was longer than accepted and was skipped. */
export interface Line {
  /** From 1, blank lines counted. */
  number: number;
  bytes: Buffer | null;
}

export interface LineLimits {
  /** Bytes of the longest line accepted. */
  longest: number;
  /** A batch ends at this many lines, */
  lines: number;
  /** or at this many bytes, whichever comes first. */
  bytes: number;
}

const NEWLINE = 0x0a;

/** Cuts chunks into lines, holding no more than one line of the accepted length. */
class LineCutter {
  private pieces: Buffer[] = [];
  private length = 0;
  private number = 1;

  constructor(private readonly longest: number) {}

  *cut(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.add(chunk.subarray(start, end));
      yield* this.end();
      start = end + 1;
    }
    this.add(chunk.subarray(start));
  }

  *end(): Generator<Line> {
    const { number, length } = this;
    const bytes = length > this.longest ? null : Buffer.concat(this.pieces);
    this.pieces = [];
    this.length = 0;
    this.number += 1;
    if (bytes === null || !isBlank(bytes)) yield { number, bytes };
  }

  private add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > this.longest) this.pieces = [];
    else if (piece.length > 0) this.pieces.push(piece);
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** The lines of a stream in batches. Nothing more is read from it while a batch is worked on, so that memory stays fixed. */
export async function* lineBatches(stream: Readable, limits: LineLimits): AsyncGenerator<Line[]> {
  const cutter = new LineCutter(limits.longest);
  let batch: Line[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    for (const line of cutter.cut(Buffer.from(chunk as Buffer | string))) {
      batch.push(line);
      bytes += line.bytes?.length ?? 0;
      if (batch.length < limits.lines && bytes < limits.bytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  batch.push(...cutter.end());
  if (batch.length > 0) yield batch;
}
