import { randomBytes } from 'node:crypto';
import type { SharedTexts } from './shared-texts';

/** Stands for what a text leaves open: no store has it. */
const SIGN = randomBytes(8).toString('hex');
const AFTER_SIGN = ';';

/** In a text that is to be packed, where another text belongs. */
export const gap = (number: number): string => `${SIGN}${number}${AFTER_SIGN}`;

/** The gap that there are most of: what is before a filter in the link that selects it. */
export const HEAD = 0;

/**
 * A text is divided at its gaps, around the sizes of values and where a value or a filter begins: what is between is the same in most replies
 * of a store. Within a text of the store JSON has no such sequence, for its quotation marks are escaped there.
 */
const BEFORE_SIZE = '"size":';
const BEGINNING = '{"id":';
/** Most sizes stand before this. */
const LINK_FIELD = ',"applyLink":"';
const LINK = LINK_FIELD + gap(HEAD);
/** A size that is kept as a number. */
const SMALL = /^\d{1,8}$/;

/** What a step is: a number of a shared text, a number that the text has as it is, one with a link behind it, or that of a gap. */
const [SHARED, SIZE, SIZE_AND_LINK, GAP] = [0, 1, 2, 3] as const;
const KIND_BITS = 2;
const KIND = (1 << KIND_BITS) - 1;

/** A JSON text with gaps, in memory. */
export class OpenText {
  private constructor(private readonly steps: Uint32Array) {}

  /** What it has in common with others is held by `texts` until `letGo`. */
  static pack(text: string, texts: SharedTexts): OpenText {
    const steps: number[] = [];
    const step = (kind: number, number: number): void => void steps.push((number << KIND_BITS) | kind);
    const sign = new Finder(text, SIGN);
    const size = new Finder(text, BEFORE_SIZE);
    const beginning = new Finder(text, BEGINNING);
    let from = 0;
    const shareUntil = (end: number): void => {
      if (end > from) step(SHARED, texts.hold(text.slice(from, end)));
      from = end;
    };
    for (let at = -1; ;) {
      at = Math.min(sign.next(at), size.next(at), beginning.next(at));
      if (at === Infinity) break;
      if (at === beginning.at) shareUntil(at);
      else if (at === sign.at) {
        shareUntil(at);
        const end = text.indexOf(AFTER_SIGN, at);
        step(GAP, Number(text.slice(at + SIGN.length, end)));
        from = end + 1;
      } else {
        shareUntil(at + BEFORE_SIZE.length);
        const end = text.indexOf(',', from);
        const found = text.slice(from, Math.max(from, end));
        if (!SMALL.test(found)) continue;
        const isLinked = text.startsWith(LINK, end);
        step(isLinked ? SIZE_AND_LINK : SIZE, Number(found));
        from = isLinked ? end + LINK.length : end;
        at = from - 1;
      }
    }
    shareUntil(text.length);
    return new OpenText(Uint32Array.from(steps));
  }

  /** Of memory, without what is shared. */
  get bytes(): number {
    return this.steps.byteLength;
  }

  /** Its pieces, with what belongs into each gap, by its number. */
  pieces(texts: SharedTexts, inGaps: readonly string[]): string[] {
    const pieces: string[] = [];
    const link = LINK_FIELD + (inGaps[HEAD] ?? '');
    for (const step of this.steps) {
      const number = step >>> KIND_BITS;
      const kind = step & KIND;
      if (kind === SHARED) pieces.push(texts.of(number));
      else if (kind === GAP) pieces.push(inGaps[number] ?? '');
      else {
        pieces.push(String(number));
        if (kind === SIZE_AND_LINK) pieces.push(link);
      }
    }
    return pieces;
  }

  letGo(texts: SharedTexts): void {
    for (const step of this.steps) if ((step & KIND) === SHARED) texts.letGo(step >>> KIND_BITS);
  }
}

/** Finds a sequence in a text, from its beginning on. */
class Finder {
  /** Where it was found last; Infinity: there is none left. */
  at = -1;

  constructor(
    private readonly text: string,
    private readonly sequence: string,
  ) {}

  /** The first behind an index. */
  next(index: number): number {
    if (this.at > index) return this.at;
    const at = this.text.indexOf(this.sequence, index + 1);
    return (this.at = at < 0 ? Infinity : at);
  }
}
