import { SIDE_UNIT, UNIT, type Unit, unitOf } from './units';

/** A number that says more than its digits: with a unit, a fraction, a decimal, or the sides of something. */
export interface Measure {
  /** Where it is in the normalised text. */
  start: number;
  end: number;
  /** As it was written. */
  written: string;
  /** What stands for it in an index: `1500ml`, `12.7mm`, `0.5`, `138x188`. The whole of it first, a number without its unit last. */
  tokens: string[];
  /** A number of this unit is often written without it. */
  unitLeftOut: boolean;
}

const DECIMAL = String.raw`\d+(?:[.,]\d+)*`;
const FRACTION = String.raw`(?:\d{1,3}[ -])?\d{1,2}\/\d{1,2}(?![\p{L}\p{N}/])`;
/** Not inside of a word or of a longer number: `wh-1000`, `1.500`. What stands before is looked at only where a digit follows. */
const START = String.raw`(?=\d)(?<![\p{L}\p{N}][-.,/]?)`;
const ONE = new RegExp(`${START}(${FRACTION}|${DECIMAL})(?:\\s?(${UNIT})|(?![\\p{L}\\p{N}]|[.,/]\\d))`, 'gu');
const SIDE = `${DECIMAL}(?:\\s?(?:${SIDE_UNIT}))?`;
const SIDES = new RegExp(`${START}${SIDE}(?:\\s?[x×*]\\s?${SIDE}){1,2}(?![\\p{L}\\p{N}])`, 'gu');
const SECOND_SIDE = /[x×*]\s?\d/;
const BETWEEN = /\s?[x×*]\s?/u;
const SIDE_PARTS = new RegExp(`^(${DECIMAL})\\s?(.*)$`, 'u');
/** Denominators of what is sold by fractions: 10/2024 is a date. */
const DENOMINATORS = new Set([2, 3, 4, 5, 6, 8, 10, 16, 32, 64]);
const MM_PER_CM = 10;

/** Every measure in a normalised text, in order. */
export function findMeasures(text: string): Measure[] {
  // Most texts have no number.
  if (!/\d/.test(text)) return [];
  const sides = SECOND_SIDE.test(text) ? [...text.matchAll(SIDES)].flatMap((match) => sidesOf(match) ?? []) : [];
  const isInside = (at: number): boolean => sides.some(({ start, end }) => at >= start && at < end);
  const ones = [...text.matchAll(ONE)].flatMap((match) => (isInside(match.index) ? [] : (oneOf(match, text) ?? [])));
  return [...sides, ...ones].sort((a, b) => a.start - b.start);
}

function oneOf(match: RegExpExecArray, text: string): Measure | null {
  const [whole, number = '', sign = ''] = match;
  const written = closesQuote(text, match.index, sign) ? whole.slice(0, -sign.length).trimEnd() : whole;
  const unit = written === whole ? unitOf(sign) : undefined;
  const value = valueOf(number, unit);
  // A plain number is a word.
  if (value === null || (!unit && /^\d+$/.test(number))) return null;
  const tokens = [...(unit ? [inUnit(value, unit)] : []), plain(value)];
  return {
    start: match.index,
    end: match.index + written.length,
    written,
    tokens,
    unitLeftOut: !unit || unit.leftOut || !Number.isInteger(value),
  };
}

/** A quotation mark behind a number is no inch where one was opened before. */
function closesQuote(text: string, before: number, sign: string): boolean {
  return /["“”]/.test(sign) && /(?:^|\s)["“][^"“”]*$/u.test(text.slice(0, before));
}

/** `138 x 188`: as written, and in millimetres; of three sides the first two as well. */
function sidesOf(match: RegExpExecArray): Measure | null {
  const [written] = match;
  const parts = written.split(BETWEEN).map((part) => SIDE_PARTS.exec(part));
  const units = parts.map((part) => unitOf(part?.[2] ?? ''));
  const last = units.at(-1);
  const values = parts.map((part, index) => valueOf(part?.[1] ?? '', units[index] ?? last));
  if (values.some((value) => value === null)) return null;
  const numbers = values as number[];
  const millimetres = numbers.map((value, index) => {
    const unit = units[index] ?? last;
    return unit && unit.base !== 'mm' ? null : value * (unit?.factor ?? MM_PER_CM);
  });
  const tokens = [sidesToken(numbers), ...(isWhole(millimetres) ? [`${sidesToken(millimetres)}mm`] : [])];
  if (numbers.length > 2) {
    tokens.push(sidesToken(numbers.slice(0, 2)));
    if (isWhole(millimetres)) tokens.push(`${sidesToken(millimetres.slice(0, 2))}mm`);
  }
  return { start: match.index, end: match.index + written.length, written, tokens, unitLeftOut: false };
}

const isWhole = (values: readonly (number | null)[]): values is number[] => values.every((value) => value !== null);
const sidesToken = (values: readonly number[]): string => values.map(plain).join('x');
const plain = (value: number): string => String(Number(value.toFixed(3)));
const inUnit = (value: number, { base, factor }: Unit): string => plain(value * factor) + base;

/** `1 1/2`, `1,5`, `1.500` (of millilitres, or other small units: thousands). Null where it is no number. */
function valueOf(number: string, unit: Unit | undefined): number | null {
  const [numerator, denominator] = number.split('/');
  if (denominator !== undefined) return fractionOf((numerator ?? '').split(/[ -]/), Number(denominator));
  const groups = number.split(/[.,]/);
  const [first = '', ...rest] = groups;
  const last = groups.at(-1) ?? '';
  if (rest.length === 0) return Number(first);
  const thousands = rest.every((group) => group.length === 3) && first !== '0';
  if (rest.length > 1) {
    if (thousands) return Number(groups.join(''));
    const whole = rest.slice(0, -1).every((group) => group.length === 3);
    return whole && /^[^.,]*\.[^,]*,|^[^.,]*,[^.]*\./.test(number)
      ? Number(`${groups.slice(0, -1).join('')}.${last}`)
      : null;
  }
  return thousands && unit !== undefined && unit.factor <= 1 ? Number(first + last) : Number(`${first}.${last}`);
}

function fractionOf(parts: readonly string[], denominator: number): number | null {
  const numerator = Number(parts.at(-1));
  if (!DENOMINATORS.has(denominator) || numerator === 0 || numerator >= denominator) return null;
  return (parts.length > 1 ? Number(parts[0]) : 0) + numerator / denominator;
}
