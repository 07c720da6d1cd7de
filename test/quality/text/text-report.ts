import { shoppers, type TextResult } from './measure';
import { halves, languages, queryKinds } from './queries';

/** What search has to reach, in shares of the queries. */
export const textGoals = { first: 0.9, ten: 0.97, nothing: 0.015, lost: 0.02 };

export interface TextFigures {
  queries: number;
  /** A right product stands first. */
  first: number;
  /** One is among the first ten. */
  ten: number;
  nothing: number;
  /** The first place is lost, over all shoppers. */
  lost: number;
}

export function textFigures(results: readonly TextResult[]): TextFigures {
  const share = (count: number, of = results.length): number => (of === 0 ? 0 : count / of);
  const lost = shoppers.flatMap((shopper) => results.filter((result) => result.lost[shopper]));
  return {
    queries: results.length,
    first: share(results.filter(({ place }) => place === 1).length),
    ten: share(results.filter(({ place }) => place !== null).length),
    nothing: share(results.filter(({ found }) => !found).length),
    lost: share(lost.length, results.length * shoppers.length),
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

function line(name: string, results: readonly TextResult[]): string {
  const { queries, first, ten, nothing } = textFigures(results);
  const lost = shoppers.map((shopper) => {
    const count = results.filter((result) => result.lost[shopper]).length;
    return percent(queries === 0 ? 0 : count / queries);
  });
  return row(name, String(queries), percent(first), percent(ten), percent(nothing), ...lost);
}

/** What is found once shoppers have chosen after each query: nobody's ranking alone. */
function learnedLine(results: readonly TextResult[]): string {
  const learned = results.map((result) => ({ ...result, place: result.learned }));
  const { queries, first, ten } = textFigures(learned);
  return row('all, learned from choices', String(queries), percent(first), percent(ten), '', ...shoppers.map(() => ''));
}

/** The tables, with every query whose first product is not what was asked, and how many goals are missed. */
export function textReport(results: readonly TextResult[]): { text: string; missed: number } {
  const all = textFigures(results);
  const missed = [
    all.first < textGoals.first,
    all.ten < textGoals.ten,
    all.nothing >= textGoals.nothing,
    ...shoppers.map((shopper) => results.filter(({ lost }) => lost[shopper]).length >= textGoals.lost * all.queries),
  ].filter(Boolean).length;
  const wrong = results.filter(({ place, lost }) => place !== 1 || shoppers.some((shopper) => lost[shopper]));
  const text = [
    '## What shoppers type: the first product, the first ten, nothing; first places lost by shopper',
    '',
    row('', 'queries', 'success@1', 'success@10', 'no result', ...shoppers),
    row('---', ...Array.from({ length: 4 + shoppers.length }, () => '---')),
    ...halves.map((half) =>
      line(
        `${half} the work`,
        results.filter(({ query }) => query.half === half),
      ),
    ),
    ...languages.map((language) =>
      line(
        language,
        results.filter(({ query }) => query.language === language),
      ),
    ),
    ...queryKinds.map((kind) =>
      line(
        kind,
        results.filter(({ query }) => query.kind === kind),
      ),
    ),
    line('all', results),
    learnedLine(results),
    row(
      'goal',
      '',
      ...[textGoals.first, textGoals.ten].map((goal) => `≥ ${percent(goal)}`),
      `< ${percent(textGoals.nothing)}`,
      ...shoppers.map(() => `< ${percent(textGoals.lost)}`),
    ),
    '',
    ...wrong.map(describe),
    '',
  ].join('\n');
  return { text, missed };
}

function describe({ query, place, first, lost }: TextResult): string {
  const whose = shoppers.filter((shopper) => lost[shopper]);
  const what = whose.length > 0 ? `lost for ${whose.join(', ')}` : `right at ${place ?? 'none of ten'}`;
  const name = first ? `first: ${String(first.sent['name'])}` : 'nothing found';
  return `- ${query.language} ${query.kind} "${query.terms}": ${what}; ${name}`;
}
