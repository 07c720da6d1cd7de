import { z } from 'zod';
import { boostedKinds } from '../template/template';
import { defaultDocument, templateBodySchema, type TemplateDocument } from '../template/template-document';

/**
 * The numbers of a boost template that tuning may change: all that weigh what a search has found. What words weigh is not among them, nor what
 * popularity is learned by: neither can be weighed anew without asking the engine, or learning, again.
 */

/** How a number lies between its bounds: `even`ly; `fine` near the lower one, for what may be 0; by `ratio`, for what is never 0. */
type Scale = 'even' | 'fine' | 'ratio';

export interface TunedNumber {
  /** Names joined by dots, as in a template. */
  path: string;
  low: number;
  high: number;
  scale: Scale;
}

interface Tunable extends TunedNumber {
  /** Searched where nobody says what to search. */
  isUsual: boolean;
}

const usual = (path: string, low: number, high: number, scale: Scale = 'fine'): Tunable => ({
  path,
  low,
  high,
  scale,
  isUsual: true,
});
const special = (path: string, low: number, high: number, scale: Scale): Tunable => ({
  ...usual(path, low, high, scale),
  isUsual: false,
});

/** In the order they are first tried in: what moves most comes first. */
const tunables: readonly Tunable[] = [
  usual('strength', 0, 100, 'even'),
  usual('signals.trend.exponent', 0, 0.6),
  usual('affinities.product.importance', 0, 5),
  usual('affinities.related.importance', 0, 1),
  usual('affinities.tag@category.importance', 0, 0.5),
  usual('affinities.brand@leaf.importance', 0, 1),
  usual('affinities.brand@category.importance', 0, 0.5),
  usual('affinities.category.importance', 0, 0.5),
  usual('affinities.brand.importance', 0, 0.5),
  usual('affinities.attr@category.importance', 0, 0.5),
  usual('maxBoost', 1.1, 10, 'ratio'),
  usual('affinities.product.k', 0.05, 20, 'ratio'),
  usual('shrink.k', 0, 50),
  usual('interest.weight', 0, 50),
  usual('signals.rating.weight', 0, 1),
  usual('signals.freshness.weight', 0, 1),
  usual('signals.discount.weight', 0, 1),
  usual('signals.availability.unavailable', 0.05, 1, 'ratio'),
  usual('evidence.cart', 0, 2),
  usual('evidence.click', 0, 2),
  usual('evidence.product', 0, 2),
  special('maxQuality', 1, 10, 'ratio'),
  special('about.step', 0.05, 1, 'ratio'),
  special('interest.k', 0.005, 5, 'ratio'),
  special('evidence.transaction', 0, 2, 'fine'),
  special('evidence.category', 0, 1, 'fine'),
  special('evidence.search', 0, 1, 'fine'),
  ...boostedKinds.filter((kind) => kind !== 'product').map((kind) => special(`affinities.${kind}.k`, 1, 1000, 'ratio')),
];

const byPath = new Map(tunables.map((one) => [one.path, one]));

/** What a signal that is off comes to: the factor 1. */
const OFF: Readonly<Record<string, number>> = {
  'signals.trend.exponent': 0,
  'signals.rating.weight': 0,
  'signals.freshness.weight': 0,
  'signals.discount.weight': 0,
  'signals.availability.unavailable': 1,
};

type Parts = Readonly<Record<string, unknown>>;

/** Null: it is not there, as what a signal that is off would say. */
export function numberAt(document: TemplateDocument, path: string): number | null {
  const found = path.split('.').reduce<unknown>((part, name) => (part as Parts | undefined)?.[name], document);
  return typeof found === 'number' ? found : null;
}

export function withNumber(document: TemplateDocument, path: string, value: number): TemplateDocument {
  if (numberAt(document, path) === null && value === OFF[path]) return document;
  const put = (part: Parts | undefined, whole: Parts | undefined, [name = '', ...rest]: string[]): Parts => {
    // Of a signal that was off the rest is as by default.
    const own = part ?? whole ?? {};
    const next =
      rest.length === 0 ? value : put(own[name] as Parts | undefined, whole?.[name] as Parts | undefined, rest);
    return { ...own, [name]: next };
  };
  return put(document, defaultDocument, path.split('.')) as unknown as TemplateDocument;
}

/** Path -> the lowest and the highest it may become; null: as far as usual. What is not named stays as it is. */
export const tuningBounds = z
  .record(z.string(), z.tuple([z.number(), z.number()]).nullable())
  .superRefine((bounds, issues) => {
    for (const [path, range] of Object.entries(bounds)) {
      const message = mistakeOf(path, range);
      if (message !== null) issues.addIssue({ code: 'custom', path: [path], message });
    }
    if (Object.keys(bounds).length === 0)
      issues.addIssue({ code: 'custom', path: [], message: 'names nothing to tune' });
  });
export type TuningBounds = z.output<typeof tuningBounds>;

function mistakeOf(path: string, range: readonly [number, number] | null): string | null {
  if (!byPath.has(path)) return `is no number that tuning changes; those are ${[...byPath.keys()].join(', ')}`;
  if (!range) return null;
  const [low, high] = range;
  if (low >= high) return `the lower bound, ${low}, has to be below the upper one, ${high}`;
  for (const value of range) {
    const { error } = templateBodySchema.safeParse(withNumber(defaultDocument, path, value));
    const issue = error?.issues[0];
    if (issue) return `${value} can't be: ${issue.message}`;
  }
  return null;
}

/** What is searched, beginning at a template. Without bounds, the usual numbers as far as usual, and as far as the template is already. */
export function tunedNumbers(start: TemplateDocument, bounds: TuningBounds | undefined): TunedNumber[] {
  const asked = tunables.filter(({ path, isUsual }) => (bounds ? path in bounds : isUsual));
  return asked.map(({ isUsual: _isUsual, ...one }) => {
    const range = bounds?.[one.path];
    if (range) return { ...one, low: range[0], high: range[1] };
    const now = numberAt(start, one.path) ?? OFF[one.path] ?? one.low;
    return { ...one, low: Math.min(one.low, now), high: Math.max(one.high, now) };
  });
}

const DIGITS = 3;

/** Templates as points, each number from 0 to 1 between its bounds. The start itself is exact, what is moved has three digits. */
export class TuningSpace {
  readonly start: readonly number[];

  constructor(
    private readonly base: TemplateDocument,
    readonly numbers: readonly TunedNumber[],
  ) {
    this.start = numbers.map((one) => pointOf(this.valueOf(one), one));
  }

  /** As the base has it. */
  valueOf({ path, low }: TunedNumber): number {
    return numberAt(this.base, path) ?? OFF[path] ?? low;
  }

  /** What a point changes. */
  changes(point: readonly number[]): { path: string; from: number; to: number }[] {
    const document = this.at(point);
    return this.numbers
      .map((one) => ({
        path: one.path,
        from: this.valueOf(one),
        to: numberAt(document, one.path) ?? OFF[one.path] ?? one.low,
      }))
      .filter(({ from, to }) => from !== to);
  }

  at(point: readonly number[]): TemplateDocument {
    let document = this.base;
    this.numbers.forEach((one, index) => {
      const own = point[index] ?? 0;
      const now = this.valueOf(one);
      const isHere = own === this.start[index] && now >= one.low && now <= one.high;
      if (!isHere) document = withNumber(document, one.path, valueAt(own, one));
    });
    return document;
  }
}

function pointOf(value: number, { low, high, scale }: TunedNumber): number {
  const held = Math.min(high, Math.max(low, value));
  if (scale === 'ratio') return Math.log(held / low) / Math.log(high / low);
  const share = (held - low) / (high - low);
  return scale === 'fine' ? Math.sqrt(share) : share;
}

function valueAt(own: number, { low, high, scale }: TunedNumber): number {
  const share = scale === 'fine' ? own * own : own;
  const value = scale === 'ratio' ? low * (high / low) ** own : low + (high - low) * share;
  return Math.min(high, Math.max(low, Number(value.toPrecision(DIGITS))));
}
