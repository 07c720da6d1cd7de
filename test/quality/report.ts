import type { DataSetName } from './data-set';
import { type Figure, figure, type Value } from './ndcg';
import { type Arm, arms, type Replay, type TaskResult, type View, views } from './replay';

/** What the personalized ranking has to reach through the real search path, as printed; one parameter set for both shops. */
export const goals: Readonly<Record<DataSetName, Readonly<Record<View, number>>>> = {
  onlineretail: { all: 0.545, new: 0.395 },
  completejourney: { all: 0.242, new: 0.18 },
};

const titles: Record<View, string> = { all: 'all', new: 'new to the user' };

export type Figures = Record<Arm, Record<View, Figure>>;

export function figuresOf({ results }: Pick<Replay, 'results'>): Figures {
  const of = (arm: Arm): Record<View, Figure> => ({
    all: figure(valuesOf(results, (values) => values[arm].all)),
    new: figure(valuesOf(results, (values) => values[arm].new)),
  });
  return { neutral: of('neutral'), personalized: of('personalized'), placebo: of('placebo') };
}

function valuesOf(results: readonly TaskResult[], pick: (values: TaskResult['values']) => number | null): Value[] {
  return results.flatMap(({ task, values }) => {
    const value = pick(values);
    return value === null ? [] : [{ userId: task.userId, value }];
  });
}

/** Personalized minus another arm, task by task. */
function gain({ results }: Replay, arm: Arm, view: View): Figure {
  return figure(
    valuesOf(results, (values) => {
      const [first, second] = [values.personalized[view], values[arm][view]];
      return first === null || second === null ? null : first - second;
    }),
  );
}

const three = (value: number): string => value.toFixed(3);
const signed = (value: number): string => `${value < 0 ? '-' : '+'}${three(Math.abs(value))}`;
const cell = ({ mean, low, high }: Figure, show = three): string => `${show(mean)} [${show(low)}, ${show(high)}]`;
const verdict = (holds: boolean | undefined): string => (holds ? 'met' : 'MISSED');
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

export interface Report {
  text: string;
  missed: number;
}

/** nDCG@10 of one set as a table in markdown. */
export function report(name: DataSetName, replay: Replay): Report {
  const figures = figuresOf(replay);
  const met = views.map((view) => Number(three(figures.personalized[view].mean)) >= goals[name][view]);
  const placeboBelow = views.map((view) => figures.placebo[view].mean < figures.neutral[view].mean);
  const { took } = replay;
  const text = [
    `## ${name}: nDCG@10, 95% intervals by user`,
    '',
    row('', ...views.map((view) => `${titles[view]} (${figures.neutral[view].tasks} tasks)`)),
    row('---', ...views.map(() => '---')),
    ...arms.map((arm) => row(arm, ...views.map((view) => cell(figures[arm][view])))),
    row('personalized − neutral', ...views.map((view) => cell(gain(replay, 'neutral', view), signed))),
    row('goal (personalized)', ...views.map((view, at) => `${goals[name][view]} ${verdict(met[at])}`)),
    row('placebo below neutral', ...placeboBelow.map(verdict)),
    '',
    `${replay.results.length} tasks, ${replay.searches} searches; loading ${seconds(took.loading)}, ` +
      `learning ${seconds(took.learning)}, replaying ${seconds(took.replaying)}`,
    '',
  ].join('\n');
  return { text, missed: [...met, ...placeboBelow].filter((holds) => !holds).length };
}
