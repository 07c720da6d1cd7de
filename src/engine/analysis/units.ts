import { FEET, INCHES, SPELLED } from './spelled-units';

export interface Unit {
  /** What it is converted to. */
  base: string;
  factor: number;
  /** A number of it is often written without it: a screen of 55, a memory of 256. */
  leftOut: boolean;
}

const units = new Map<string, Unit>();
for (const [names, [base, factor]] of Object.entries(SPELLED)) {
  for (const name of names.split(' ')) units.set(name, { base, factor, leftOut: base === 'gb' || factor === 25.4 });
}
for (const sign of INCHES) units.set(sign, { base: 'mm', factor: 25.4, leftOut: true });
for (const sign of FEET) units.set(sign, { base: 'mm', factor: 304.8, leftOut: true });

/** The unit that is written so, normalised. */
export const unitOf = (written: string): Unit | undefined => units.get(written);

const longestFirst = (names: readonly string[]): string[] => [...names].sort((a, b) => b.length - a.length);
const words = longestFirst([...units.keys()].filter((name) => /^[a-z]/.test(name)));

const INCH_BEFORE_NUMBER = '(?<!in(?=\\s?\\d))';
const LETTERS = `(?:${words.join('|')})`;
const ENDS = '(?![\\p{L}\\p{N}])';
/** Between two sides, `x` may stand beside a unit as if it were a part of it: `138cmx188cm`. */
const ENDS_OR_TIMES = `(?:${ENDS}|(?=x\\s?\\d))`;

/** A unit behind a number, as the source of a regular expression: "2 in 1" is none, nor is the apostrophe of a word. */
export const UNIT = [`${LETTERS}${ENDS}${INCH_BEFORE_NUMBER}`, INCHES.join('|'), `[${FEET.join('')}](?!\\p{L})`].join(
  '|',
);

/** The same behind a side of something. */
export const SIDE_UNIT = [
  `${LETTERS}${ENDS_OR_TIMES}${INCH_BEFORE_NUMBER}`,
  INCHES.join('|'),
  `[${FEET.join('')}](?:(?!\\p{L})|(?=x\\s?\\d))`,
].join('|');
