import { bytesOfText } from '../../shared/bytes-of-text';
import { ownText } from '../../shared/own-text';

/** Of a text itself, its places in the tables and how many hold it, about. */
const TEXT_BYTES = 120;

/** Texts that many things have in common: each is there once, by a number, for as long as something holds it. */
export class SharedTexts {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  /** How many times each is held. */
  private readonly holds: number[] = [];
  private readonly free: number[] = [];
  private heldBytes = 0;

  /** Of memory, about. */
  get bytes(): number {
    return this.heldBytes;
  }

  /** Whoever holds a text lets it go once for each time. */
  hold(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) {
      this.holds[known] = (this.holds[known] ?? 0) + 1;
      return known;
    }
    const own = ownText(text);
    const number = this.free.pop() ?? this.texts.length;
    this.numbers.set(own, number);
    this.texts[number] = own;
    this.holds[number] = 1;
    this.heldBytes += TEXT_BYTES + bytesOfText(own);
    return number;
  }

  /** The text of a number that is held. */
  of(number: number): string {
    return this.texts[number] ?? '';
  }

  letGo(number: number): void {
    const left = (this.holds[number] ?? 0) - 1;
    this.holds[number] = left;
    if (left > 0) return;
    const text = this.of(number);
    this.numbers.delete(text);
    this.texts[number] = '';
    this.free.push(number);
    this.heldBytes -= TEXT_BYTES + bytesOfText(text);
  }
}
