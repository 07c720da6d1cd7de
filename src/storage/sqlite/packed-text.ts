import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Texts of one kind, compressed one by one. `dictionary`: what they begin with and repeat, so that short ones are compressed, too; what lies
 * nearest to its end costs least. What is stored can't be read with any other: it never changes.
 */
export class PackedText {
  private readonly dictionary: Buffer;

  constructor(
    dictionary: string,
    private readonly level: number,
  ) {
    this.dictionary = Buffer.from(dictionary);
  }

  pack(text: string): Buffer {
    return deflateRawSync(text, { level: this.level, dictionary: this.dictionary });
  }

  /** Of a column of the database; a text is one that an earlier version stored as it is. */
  unpack(stored: unknown): string {
    if (!(stored instanceof Uint8Array)) return String(stored);
    return inflateRawSync(stored, { dictionary: this.dictionary }).toString('utf8');
  }
}
