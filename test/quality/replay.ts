import { embeddedMode, type Mode } from '../support/modes';
import type { DataSet, Order, Task } from './data-set';
import { ndcg } from './ndcg';
import { ReplayedShop } from './replayed-shop';

/** Who asks: nobody in particular, the shopper, or somebody else in the shopper's place. */
export const arms = ['neutral', 'personalized', 'placebo'] as const;
export type Arm = (typeof arms)[number];

/** Everything that was bought, or only what the shopper had not bought before. */
export const views = ['all', 'new'] as const;
export type View = (typeof views)[number];

/** nDCG@10 of one task; null where nothing relevant is left in that view. */
export interface TaskResult {
  task: Task;
  values: Record<Arm, Record<View, number | null>>;
}

export interface Replay {
  /** In the order of time. */
  results: TaskResult[];
  searches: number;
  /** Milliseconds. */
  took: { loading: number; learning: number; replaying: number };
}

export interface ReplayOptions {
  /** How the service is run; default embedded. */
  mode?: Mode;
  /** Days between two runs of the learning job. */
  learnEvery?: number;
  progress?: (text: string) => void;
  /** What is done at each task in place of measuring it; `bought`: by the user, before. */
  observe?: (shop: ReplayedShop, task: Task, bought: ReadonlySet<string>) => Promise<void>;
}

const DAY = 86_400_000;
const PAGE = 100;
/** What the search hands out at most. */
const DEEPEST = 10_000;
const TOP = 10;
/** Tasks of one moment that are asked at the same time. */
const TASKS_AT_ONCE = 4;
/** Orders in one import. */
const IMPORTED_AT_ONCE = 5000;

/** Replays a data set through the service's own interfaces in the order of time: of any moment only what was before is known. */
export async function replay(data: DataSet, options: ReplayOptions = {}): Promise<Replay> {
  const first = data.tasks[0];
  if (!first) throw new Error(`${data.name} has no tasks`);
  const start = startOfDay(first.at);
  const began = performance.now();
  const shop = await ReplayedShop.open(options.mode ?? embeddedMode, start);
  try {
    await shop.loadCatalog(data.products);
    options.progress?.(`${data.name} catalog loaded`);
    const history = data.orders.filter(({ at }) => at < start);
    for (let from = 0; from < history.length; from += IMPORTED_AT_ONCE) {
      await shop.importOrders(history.slice(from, from + IMPORTED_AT_ONCE));
    }
    const loading = performance.now() - began;
    options.progress?.(`${data.name} history loaded`);
    const player = new Player(data, shop, options);
    for (const order of history) player.remember(order);
    await player.play(data.orders.slice(history.length), start);
    const replaying = performance.now() - began - loading - player.learning;
    const { results, searches, learning } = player;
    return { results, searches, took: { loading, learning, replaying } };
  } finally {
    await shop.close();
  }
}

const startOfDay = (at: number): number => Math.floor(at / DAY) * DAY;

class Player {
  readonly results: TaskResult[] = [];
  searches = 0;
  learning = 0;
  private readonly bought = new Map<string, Set<string>>();
  private readonly others: ReadonlyMap<string, string>;

  constructor(
    private readonly data: DataSet,
    private readonly shop: ReplayedShop,
    private readonly options: ReplayOptions,
  ) {
    this.others = stranger(data.tasks);
  }

  remember({ userId, items }: Order): void {
    const own = this.bought.get(userId) ?? new Set<string>();
    for (const { pid } of items) own.add(pid);
    this.bought.set(userId, own);
  }

  async play(orders: readonly Order[], start: number): Promise<void> {
    const { shop, data, options } = this;
    let [next, learnAt] = [0, start];
    const buyUntil = async (time: number): Promise<void> => {
      for (let order = orders[next]; order && order.at < time; order = orders[++next]) {
        shop.setTime(order.at);
        await shop.buy(order);
        this.remember(order);
      }
    };
    for (const moment of moments(data.tasks)) {
      const at = moment[0]?.at ?? start;
      const morning = startOfDay(at);
      if (morning >= learnAt) {
        await buyUntil(morning);
        shop.setTime(morning);
        await this.learn();
        learnAt = morning + (options.learnEvery ?? 1) * DAY;
        options.progress?.(`${data.name} ${new Date(morning).toISOString().slice(0, 10)}`);
      }
      await buyUntil(at);
      shop.setTime(at);
      for (let from = 0; from < moment.length; from += TASKS_AT_ONCE) {
        const together = moment.slice(from, from + TASKS_AT_ONCE);
        this.results.push(...(await Promise.all(together.map((task) => this.see(task)))).flat());
      }
    }
  }

  private async see(task: Task): Promise<TaskResult[]> {
    const bought = this.bought.get(task.userId) ?? new Set<string>();
    if (!this.options.observe) return [await this.measure(task, bought)];
    await this.options.observe(this.shop, task, bought);
    return [];
  }

  private async learn(): Promise<void> {
    const began = performance.now();
    await this.shop.learn();
    this.learning += performance.now() - began;
  }

  private async measure(task: Task, bought: ReadonlySet<string>): Promise<TaskResult> {
    const all = new Set(task.relevant);
    const fresh = new Set(task.relevant.filter((id) => !bought.has(id)));
    const of = async (userId: string | null): Promise<Record<View, number | null>> => {
      const ranking = await this.rank(task, userId, bought);
      const unknown = ranking.filter((id) => !bought.has(id));
      return { all: ndcg(ranking, all), new: ndcg(unknown, fresh) };
    };
    const [neutral, personalized, placebo] = await Promise.all([
      of(null),
      of(task.userId),
      of(this.others.get(task.userId) ?? null),
    ]);
    return { task, values: { neutral, personalized, placebo } };
  }

  /** The task's candidates as the search orders them, as far down as either view looks. */
  private async rank(task: Task, userId: string | null, bought: ReadonlySet<string>): Promise<string[]> {
    const candidates = this.data.candidates.get(task.query) ?? new Set<string>();
    const ranking: string[] = [];
    let unknown = 0;
    for (let page = 1; page * PAGE <= DEEPEST && unknown < TOP && ranking.length < candidates.size; page++) {
      const found = await this.shop.search({ terms: task.query, userId, page, size: PAGE });
      this.searches += 1;
      const taken = found.filter((id) => candidates.has(id));
      ranking.push(...taken);
      unknown += taken.filter((id) => !bought.has(id)).length;
      if (found.length < PAGE) break;
    }
    return ranking;
  }
}

/** Tasks of the same millisecond: nothing can have happened between them. */
function moments(tasks: readonly Task[]): Task[][] {
  const found: Task[][] = [];
  for (const task of tasks) {
    const last = found.at(-1);
    if (last?.[0]?.at === task.at) last.push(task);
    else found.push([task]);
  }
  return found;
}

/** Each user's stand-in: the one half-way round the circle of all. */
function stranger(tasks: readonly Task[]): Map<string, string> {
  const users = [...new Set(tasks.map(({ userId }) => userId))];
  const half = Math.max(1, Math.floor(users.length / 2));
  return new Map(users.map((userId, index) => [userId, users[(index + half) % users.length] ?? userId]));
}
