import { percentile } from '../../../bench/statistics';
import type { Comparison, Difference } from './compare';
import type { FormulaCheck } from './formula';
import type { TwoPlans } from './two-plans';

/** What has to hold of every search, on every shop. */
export const LEAST_MASS = 0.98;
export const MOST_ERROR = 0.01;

export interface EnginesReport {
  text: string;
  missed: number;
}

const number = (value: number): string => value.toFixed(4);
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const verdict = (holds: boolean): string => (holds ? 'met' : 'MISSED');

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function spread(values: readonly number[]): string {
  const mean = meanOf(values);
  const least = Math.min(...values);
  return `mean ${number(mean)}, 1st percentile ${number(percentile(values, 0.01))}, least ${number(least)}`;
}

/** How far two numbers are apart, as a share of the second. */
export const apart = (a: number, b: number): number => Math.abs(a - b) / Math.max(1e-12, Math.abs(b));

/** The greatest relative distance between our explanation and the search's score, and Elasticsearch's own reasons. */
export function formulaErrors(checks: readonly FormulaCheck[]): { score: number; elastic: number } {
  const score = Math.max(...checks.map((check) => apart(check.explained, check.score)));
  const elastic = Math.max(
    ...checks.flatMap(({ explained, text, personal, elastic: own }) => [
      apart(explained, own.score),
      apart(text, own.text),
      apart(personal, own.personal),
    ]),
  );
  return { score, elastic };
}

export function enginesReport(
  name: string,
  { comparison, plans, checks }: { comparison: Comparison; plans: TwoPlans; checks: readonly FormulaCheck[] },
): EnginesReport {
  const { queries, otherTokens, otherTotals, otherFacets, mass, overlap } = comparison;
  const compared = queries - otherTokens.length;
  const errors = formulaErrors(checks);
  const lines: [what: string, measured: string, holds: boolean | null][] = [
    ['queries analysed to the same tokens', `${compared} of ${queries}`, null],
    ['totals that differ', `${otherTotals.length} of ${compared}`, otherTotals.length === 0],
    ['facets that differ', `${otherFacets.length} of ${compared}`, otherFacets.length === 0],
    [`score mass of the first 10 (${mass.length} searches)`, spread(mass), Math.min(...mass) >= LEAST_MASS],
    ['overlap of the first 10, modulo ties', spread(overlap), null],
    [
      `kept hits: score mass of the first 24 beside the embedded engine (${plans.compared} queries of 1,000 to 9,999 hits)`,
      plans.compared === 0 ? 'no such query' : spread(plans.kept),
      plans.compared === 0 ? null : Math.min(...plans.kept) >= LEAST_MASS,
    ],
    [
      'kept hits: first 24 that differ, modulo ties',
      `${plans.otherwise.length} of ${plans.compared}`,
      plans.otherwise.length === 0,
    ],
    [
      `two plans: score mass of the first 24 (${plans.compared} queries of 1,000 to 9,999 hits)`,
      plans.compared === 0 ? 'no such query' : spread(plans.mass),
      plans.compared === 0 ? null : Math.min(...plans.mass) >= LEAST_MASS,
    ],
    [
      'two plans: orders that differ where the window covers all hits',
      `${plans.unequal.length} of ${plans.compared}`,
      plans.unequal.length === 0,
    ],
    [
      `explanations beside the score (${checks.length} hits)`,
      `at most ${(100 * errors.score).toFixed(3)}% apart`,
      errors.score <= MOST_ERROR,
    ],
    [
      "explanations beside Elasticsearch's own: score, text, personal",
      `at most ${(100 * errors.elastic).toFixed(3)}% apart`,
      errors.elastic <= MOST_ERROR,
    ],
  ];
  const text = [
    `## ${name}: embedded and Elasticsearch`,
    '',
    row('', 'measured', ''),
    row('---', '---', '---'),
    ...lines.map(([what, measured, holds]) => row(what, measured, holds === null ? '' : verdict(holds))),
    '',
    ...listed('Other tokens', otherTokens),
    ...listed('Other totals', otherTotals),
    ...listed('Other facets', otherFacets),
    ...plans.unequal.map((query) => `Two orders: ${query}`),
    ...plans.otherwise.map((query) => `Kept hits differ: ${query}`),
  ].join('\n');
  return { text, missed: lines.filter(([, , holds]) => holds === false).length };
}

const LONGEST = 300;

function listed(title: string, differences: readonly Difference[]): string[] {
  return differences.map(
    ({ query, embedded, elastic }) =>
      `${title}: "${query}": embedded ${embedded.slice(0, LONGEST)}; Elasticsearch ${elastic.slice(0, LONGEST)}`,
  );
}
