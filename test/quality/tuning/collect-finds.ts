import { type FoundSearch } from '../../../src/ranking/tuning/rescored-search';
import { idealGain, type JudgedFind } from '../../../src/search/tuning/training-set';
import type { DataSet, Task } from '../data-set';
import { replay, type ReplayOptions, type View, views } from '../replay';

/** A task in one view, to be ordered with any template. */
export interface TaskFind extends JudgedFind {
  at: number;
  view: View;
}

const VIEWED: Readonly<Record<View, (id: string, bought: ReadonlySet<string>) => boolean>> = {
  all: () => true,
  new: (id, bought) => !bought.has(id),
};

/** Replays a data set and takes along, at each task, what its products' scores are made of. */
export async function collectFinds(data: DataSet, options: ReplayOptions): Promise<TaskFind[]> {
  const finds: TaskFind[] = [];
  await replay(data, {
    ...options,
    observe: async (shop, task, bought) => {
      const found = await shop.found(task.query, { userId: task.userId, wanted: task.relevant });
      const candidates = data.candidates.get(task.query) ?? new Set<string>();
      for (const view of views) {
        const isShown = (id: string): boolean => candidates.has(id) && VIEWED[view](id, bought);
        finds.push(...findIn(cut(found, isShown), task, view, isShown));
      }
    },
  });
  return finds.sort((a, b) => a.at - b.at);
}

function findIn(
  found: FoundSearch,
  { userId, at, relevant }: Task,
  view: View,
  isShown: (id: string) => boolean,
): TaskFind[] {
  const right = new Set(relevant.filter(isShown));
  if (right.size === 0) return [];
  const gains = found.products.map(({ id }) => (right.has(id) ? 1 : 0));
  return [{ shopper: userId, at, view, weight: 1, found, gains, ideal: idealGain(Array.from(right, () => 1)) }];
}

/** Without the products that a task does not rank. */
function cut({ products, known, ...found }: FoundSearch, isShown: (id: string) => boolean): FoundSearch {
  const places = products.flatMap(({ id }, place) => (isShown(id) ? place : []));
  return {
    ...found,
    products: places.map((place) => products[place]!),
    known: known && { ...known, touched: places.map((place) => known.touched[place]!) },
  };
}
