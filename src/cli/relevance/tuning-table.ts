import { type Compared, means, table } from './replay-commands';

interface Part {
  searches: number;
  shoppers: number;
  from: string;
  to: string;
  score: Compared;
}

/** What the table shows of a report. */
export interface Report {
  objective: string;
  start: { name: string; version: number };
  template: { name: string; version: number } | null;
  verdict: string;
  trials: { made: number };
  changes: { path: string; from: number; to: number }[];
  train: Part | null;
  validation: { groups: number; score: Compared } | null;
  test: Part | null;
}

const VERDICTS: Readonly<Record<string, string>> = {
  better: 'better on searches that tuning never saw',
  no_difference: 'on searches that tuning never saw no difference can be told',
  worse: 'worse on searches that tuning never saw: it fits the past alone',
  nothing_found: 'nothing better was found: what serves stays the best',
  too_few_searches: 'too few searches to tell',
};

/** A report as a person reads it. */
export function tuningTable({ start, template, verdict, trials, changes, train, validation, test }: Report): string {
  const from = `${start.name} (version ${start.version})`;
  const found = template ? `${template.name} (version ${template.version}), which does not serve` : 'no candidate';
  const lines = [`From ${from}, ${trials.made} templates tried: ${found}`, `${VERDICTS[verdict] ?? verdict}`];
  if (changes.length > 0) {
    const rows = changes.map((change) => [change.path, String(change.from), String(change.to)]);
    lines.push('', ...table([['number', 'from', 'to'], ...rows]));
  }
  if (train && test) {
    const cross = validation ? [[`by ${validation.groups} parts of the shoppers`, ...means(validation.score)]] : [];
    const rows = [['learned from', ...means(train.score)], ...cross, ['never seen', ...means(test.score)]];
    lines.push('', ...table([['nDCG@10', 'current', 'candidate', 'difference', '95%'], ...rows]));
    lines.push('', `${told(train)} to learn from; ${told(test)} never seen, from ${test.from}`);
  }
  return lines.join('\n');
}

const told = ({ searches, shoppers }: Part): string => `${searches} searches of ${shoppers} shoppers`;
