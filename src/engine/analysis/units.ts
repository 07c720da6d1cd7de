/** How units are written, normalised, with what they are converted to and how many of it they are. */
const SPELLED: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  'ml mls mililitro mililitros milliliter milliliters': ['ml', 1],
  cl: ['ml', 10],
  'l lt lts litro litros litre litres liter liters': ['ml', 1000],
  mg: ['g', 0.001],
  'g gr grs grama gramas gramo gramos gram grams': ['g', 1],
  'kg kgs quilo quilos kilo kilos kilogramo kilogramos kilogram kilograms': ['g', 1000],
  'lb lbs libra libras pound pounds': ['lb', 1],
  oz: ['oz', 1],
  mm: ['mm', 1],
  'cm cms centimetro centimetros centimeter centimeters': ['mm', 10],
  'm mt mts metro metros meter meters metre metres': ['mm', 1000],
  'pol polegada polegadas pulgada pulgadas in inch inches': ['mm', 25.4],
  'ft foot feet': ['mm', 304.8],
  mb: ['mb', 1],
  'gb giga gigas': ['gb', 1],
  tb: ['gb', 1024],
  'w watt watts': ['w', 1],
  kw: ['w', 1000],
  'v volt volts': ['v', 1],
  mah: ['mah', 1],
  hz: ['hz', 1],
  mhz: ['mhz', 1],
  ghz: ['mhz', 1000],
  'btu btus': ['btu', 1],
  mp: ['mp', 1],
  rpm: ['rpm', 1],
};
/** Units as signs. Two primes come of one sign when text is normalised. */
const INCHES = ['"', '”', '“', '′′', "''"];
const FEET = ["'", '’', '′'];

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
