/** Positions that count. */
const DEPTH = 10;

const discount = (position: number): number => 1 / Math.log2(position + 2);

/** Binary nDCG@10 of a ranking (product ids, best first); null where nothing is relevant. */
export function ndcg(ranking: readonly string[], relevant: ReadonlySet<string>): number | null {
  if (relevant.size === 0) return null;
  let gain = 0;
  ranking.slice(0, DEPTH).forEach((id, position) => {
    if (relevant.has(id)) gain += discount(position);
  });
  let ideal = 0;
  for (let position = 0; position < Math.min(DEPTH, relevant.size); position++) ideal += discount(position);
  return gain / ideal;
}

export interface Figure {
  mean: number;
  /** 95% bootstrap interval, whole users drawn. */
  low: number;
  high: number;
  tasks: number;
}

/** One task's value, and whose it is. */
export interface Value {
  userId: string;
  value: number;
}

const RESAMPLES = 1000;

/** Mean over tasks; tasks of one user hang together, so users are what is drawn. */
export function figure(values: readonly Value[]): Figure {
  const byUser = new Map<string, { sum: number; tasks: number }>();
  for (const { userId, value } of values) {
    const own = byUser.get(userId) ?? { sum: 0, tasks: 0 };
    byUser.set(userId, { sum: own.sum + value, tasks: own.tasks + 1 });
  }
  const users = [...byUser.values()];
  const random = seeded(12_345);
  const means = Array.from({ length: RESAMPLES }, () => {
    let [sum, tasks] = [0, 0];
    for (let drawn = 0; drawn < users.length; drawn++) {
      const user = users[Math.floor(random() * users.length)];
      sum += user?.sum ?? 0;
      tasks += user?.tasks ?? 0;
    }
    return sum / tasks;
  });
  means.sort((a, b) => a - b);
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
  const at = (share: number): number => means[Math.floor(share * RESAMPLES)] ?? mean;
  return { mean, low: at(0.025), high: at(0.975), tasks: values.length };
}

/** Numerical Recipes' linear congruential generator: the same intervals run after run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
