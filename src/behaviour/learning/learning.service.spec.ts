import { setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from '../../documents/documents';
import { SystemClock } from '../../shared/clock';
import type { JobQueue } from '../../jobs/job-queue';
import type { StoresService } from '../../stores/stores.service';
import type { LearnedModels } from './learned-models';
import { LearningService } from './learning.service';
import { type ModelLearner, MOST_COUNTED } from './model-learner';

interface Parts {
  learn?: LearnedModels['learn'];
  learner?: Partial<ModelLearner>;
  documents?: object;
  jobs?: object;
  stores?: object;
}

function serviceOf({ learn, learner = {}, documents = {}, jobs = {}, stores = {} }: Parts): LearningService {
  return new LearningService(
    { learn } as LearnedModels,
    learner as ModelLearner,
    {} as never,
    documents as Documents,
    jobs as JobQueue,
    stores as StoresService,
    new SystemClock(),
  );
}

const learnerOf = (purchases: number): Partial<ModelLearner> => ({
  newPurchases: async () => ({ count: purchases, last: 1 }),
});

/** A learning service whose stores have so many new purchases each. */
const service = (purchases: number, learn: LearnedModels['learn']): LearningService =>
  serviceOf({ learn, learner: learnerOf(purchases), documents: { get: async () => null, put: async () => [1] } });

/** How many of three stores learn at the same time, each with so many new purchases. */
async function learningAtOnce(purchases: number): Promise<number> {
  let under = 0;
  let most = 0;
  const learning = service(purchases, async () => {
    most = Math.max(most, (under += 1));
    await sleep(5);
    under -= 1;
    return { users: 0, purchases, products: 0 };
  });
  await Promise.all(['a', 'b', 'c'].map((store) => learning.run(store)));
  return most;
}

test('large stores learn one after the other, others at the same time', async () => {
  expect([await learningAtOnce(MOST_COUNTED), await learningAtOnce(MOST_COUNTED - 1)]).toEqual([1, 3]);
});

test('a large store that is stopped while it waits for its turn does not begin', async () => {
  const begun: string[] = [];
  const learning = service(MOST_COUNTED, async ({ store }) => {
    begun.push(store);
    await sleep(5);
    return { users: 0, purchases: 0, products: 0 };
  });
  const stop = new AbortController();
  const runs = [learning.run('a'), learning.run('gone', { signal: stop.signal }), learning.run('b')];
  stop.abort();
  const ended = await Promise.allSettled(runs);
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(begun).toEqual(['a', 'b']);
});

test('popularity is forgotten once no orders count, where a model before has learned one or does not say', async () => {
  let kept: Record<string, unknown> | null = null;
  let purchases = 0;
  const forget: boolean[] = [];
  const learn = async (request: {
    forget: boolean;
  }): Promise<{ users: number; purchases: number; products: number }> => {
    forget.push(request.forget);
    return { users: 0, purchases, products: 1 };
  };
  const documents = {
    get: async () => kept && { body: kept },
    put: async (writes: { body: unknown }[]) => {
      kept = writes[0]?.body as typeof kept;
      return [1];
    },
  };
  const learning = serviceOf({ learn, learner: learnerOf(1), documents });
  for (purchases of [0, 0, 5, 0, 0]) await learning.run('a');
  // Of the first model there is nothing before; the third has learned of five purchases.
  expect(forget).toEqual([false, false, false, true, false]);
  kept = { last: 1, learnedAt: 0, purchases: 0 };
  await learning.run('a');
  await learning.run('a');
  expect(forget.slice(5)).toEqual([true, false]);
});

test('a store without orders learns once more where a version before learned its popularity', async () => {
  const learnedAt = Date.now();
  const states = {
    before: { last: 0, learnedAt, purchases: 0 },
    since: { last: 0, learnedAt, purchases: 0, hasTrend: false },
    sells: { last: 0, learnedAt, purchases: 9 },
  };
  const documents = { list: async () => Object.entries(states).map(([store, body]) => ({ store, body })) };
  let look: (() => Promise<unknown>) | undefined;
  const asked: unknown[] = [];
  const jobs = {
    process: (kind: string, work: () => Promise<unknown>) => {
      if (kind === 'learning.schedule') look = work;
    },
    every: () => undefined,
    enqueue: async ({ store, payload }: { store: string; payload: unknown }) => void asked.push([store, payload]),
  };
  const stores = { all: () => Object.keys(states).map((id) => ({ id })) };
  const learning = serviceOf({ learner: { newest: async () => new Map() }, documents, jobs, stores });
  learning.onModuleInit();
  await look?.();
  expect(asked).toEqual([['before', { force: true }]]);
});
