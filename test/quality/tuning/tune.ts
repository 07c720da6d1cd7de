import {
  CompiledTemplate,
  defaultDocument,
  templateBodySchema,
  templateDocument,
  type TemplateDocument,
} from '../../../src/ranking/template/template-document';
import { tunedNumbers, TuningSpace } from '../../../src/ranking/tuning/tuned-numbers';
import { findScore, TrainingSet } from '../../../src/search/tuning/training-set';
import { searchTemplates } from '../../../src/search/tuning/tuning-search';
import { type DataSetName, isSampled, loadDataSet } from '../data-set';
import { type Figure, figure } from '../ndcg';
import { type View, views } from '../replay';
import { collectFinds, type TaskFind } from './collect-finds';

export interface OfflineTuning {
  folder: string;
  sets: readonly DataSetName[];
  /** One in so many users. */
  sample: number;
  /** Days between two runs of the learning job. */
  learnEvery: number;
  budget: number;
  progress: (text: string) => void;
}

/** Popularity off and hardly anything personal: what a template that nobody looked at may be. */
const bad = templateDocument(templateBodySchema.parse({ strength: 20, signals: { availability: {} } }));
/** The share of the tasks, by time, that a template is searched with. */
const TRAINING_SHARE = 0.6;
/** How far below the shipped template what is found from the bad one may be, and what is worth a change. */
const GOALS = { near: 0.005, gain: 0.004 };
const SEED = 1;

interface SetFinds {
  name: DataSetName;
  train: TaskFind[];
  test: TaskFind[];
}

/** nDCG@10 of the test period by set and view: the shipped template, the bad one, and what is found from either. Prints nothing that was learned from. */
export async function tuneOffline(options: OfflineTuning): Promise<{ text: string; missed: number }> {
  const { folder, sets, sample, learnEvery, budget, progress } = options;
  const all: SetFinds[] = [];
  for (const name of sets) {
    const data = loadDataSet(folder, name);
    const tasks = data.tasks.filter(({ userId }) => isSampled(userId, sample));
    const finds = await collectFinds({ ...data, tasks }, { learnEvery, progress });
    const split = finds[Math.floor(TRAINING_SHARE * finds.length)]?.at ?? 0;
    all.push({ name, train: finds.filter(({ at }) => at < split), test: finds.filter(({ at }) => at >= split) });
  }
  const training = new TrainingSet(all.flatMap(({ name, train }) => weighed(name, train)));
  const found = async (start: TemplateDocument): Promise<{ document: TemplateDocument; changes: string }> => {
    const space = new TuningSpace(start, tunedNumbers(start, bounds()));
    const keep = async ({ trials }: { trials: number }): Promise<void> => progress(`${trials} of ${budget} trials`);
    const { point } = await searchTemplates({ space, training, seed: SEED, budget, keep });
    const best = point ?? space.start;
    const changes = space.changes(best).map(({ path, from, to }) => `${path} ${from} -> ${to}`);
    return { document: space.at(best), changes: changes.join(', ') || 'nothing: no template was found that is better' };
  };
  const fromBad = await found(bad);
  const fromShipped = await found(defaultDocument);
  return written(all, { bad, fromBad, fromShipped });
}

/** The data sets have purchases alone: nothing else can be learned of. */
function bounds(): Record<string, null> {
  const paths = tunedNumbers(defaultDocument, undefined).map(({ path }) => path);
  const unknown = /^(evidence|interest|signals\.(rating|discount|freshness|availability))/;
  return Object.fromEntries(paths.filter((path) => !unknown.test(path)).map((path) => [path, null]));
}

/** Each view of each set counts the same. */
function weighed(name: DataSetName, finds: readonly TaskFind[]): TaskFind[] {
  const counts = new Map(views.map((view) => [view, finds.filter((one) => one.view === view).length]));
  return finds.map((find) => ({
    ...find,
    shopper: `${name} ${find.shopper}`,
    weight: 1 / (counts.get(find.view) ?? 1),
  }));
}

interface Result {
  document: TemplateDocument;
  changes: string;
}

interface Results {
  bad: TemplateDocument;
  fromBad: Result;
  fromShipped: Result;
}

function written(
  all: readonly SetFinds[],
  { bad: start, fromBad, fromShipped }: Results,
): { text: string; missed: number } {
  const columns = all.flatMap(({ name, test }) =>
    views.map((view) => ({ title: `${name}, ${view}`, of: only(test, view) })),
  );
  const row = (title: string, cell: (finds: TaskFind[]) => string): string =>
    `| ${[title, ...columns.map(({ of }) => cell(of))].join(' | ')} |`;
  const score = (document: TemplateDocument) => (finds: TaskFind[]) => shown(scoreOf(finds, document));
  const gain = (document: TemplateDocument) => (finds: TaskFind[]) => shown(gainOf(finds, document), true);
  const gains = (document: TemplateDocument): number[] => columns.map(({ of }) => gainOf(of, document).mean);
  const isNear = gains(fromBad.document).every((one) => one >= -GOALS.near);
  const least = Math.min(...gains(fromShipped.document));
  const mean = gains(fromShipped.document).reduce((sum, one) => sum + one, 0) / columns.length;
  const verdict =
    least >= 0 && mean >= GOALS.gain
      ? `finds ${mean.toFixed(4)} more`
      : `finds no gain of ${GOALS.gain} on all of them: ${mean.toFixed(4)} in the mean, ${least.toFixed(4)} at the least`;
  const text = [
    '## nDCG@10 of the test period, 95% intervals by user',
    '',
    `|  | ${columns.map(({ title, of }) => `${title} (${of.length})`).join(' | ')} |`,
    row('---', () => '---'),
    row('bad template', score(start)),
    row('found from it', score(fromBad.document)),
    row('shipped', score(defaultDocument)),
    row('found from shipped', score(fromShipped.document)),
    row('from bad − shipped', gain(fromBad.document)),
    row('from shipped − shipped', gain(fromShipped.document)),
    '',
    `From the bad template: ${isNear ? 'within' : 'MORE than'} ${GOALS.near} below the shipped one. Changes: ${fromBad.changes}`,
    `From the shipped one: ${verdict}. Changes: ${fromShipped.changes}`,
    '',
  ].join('\n');
  return { text, missed: isNear ? 0 : 1 };
}

const only = (finds: readonly TaskFind[], view: View): TaskFind[] => finds.filter((one) => one.view === view);

function scoreOf(finds: readonly TaskFind[], document: TemplateDocument): Figure {
  const compiled = new CompiledTemplate(document);
  return figure(
    finds.map((find) => ({ userId: find.shopper, value: findScore(find, compiled.of(find.found.context)) })),
  );
}

function gainOf(finds: readonly TaskFind[], document: TemplateDocument): Figure {
  const [shipped, other] = [new CompiledTemplate(defaultDocument), new CompiledTemplate(document)];
  return figure(
    finds.map((find) => {
      const { context } = find.found;
      return { userId: find.shopper, value: findScore(find, other.of(context)) - findScore(find, shipped.of(context)) };
    }),
  );
}

function shown({ mean, low, high }: Figure, isSigned = false): string {
  const three = (value: number): string => `${isSigned && value >= 0 ? '+' : ''}${value.toFixed(3)}`;
  return `${three(mean)} [${three(low)}, ${three(high)}]`;
}
