import { type BatchedCall, Batcher, type BatcherOptions } from './batcher';

type Options = Omit<BatcherOptions<number, number>, 'send'>;
type Batch = BatchedCall<number, number>[];

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** Answers each number with ten times as much, when it is told to. */
function subject(options: Options = {}) {
  const batches: number[][] = [];
  const pending: ((error?: Error) => void)[] = [];
  const send = async (batch: Batch): Promise<void> => {
    batches.push(batch.map(({ item }) => item));
    await new Promise<void>((resolve, reject) =>
      pending.push((error) => (error === undefined ? resolve() : reject(error))),
    );
    for (const { item, resolve } of batch) resolve(item * 10);
  };
  const batcher = new Batcher<number, number>({ ...options, send });
  const answer = async (error?: Error): Promise<void> => {
    pending.shift()?.(error);
    await turn();
    await turn();
  };
  return { batcher, batches, answer };
}

describe('a batcher', () => {
  it('sends what is asked for in one turn of the event loop together', async () => {
    const { batcher, batches, answer } = subject();
    const results = Promise.all([1, 2, 3].map((item) => batcher.add(item)));
    await turn();
    expect(batches).toEqual([[1, 2, 3]]);
    await answer();
    expect(await results).toEqual([10, 20, 30]);
  });

  it('waits for the time given, but not where a request is full', async () => {
    const { batcher, batches } = subject({ waitMs: 60_000, maxSize: 2, requests: 9 });
    void batcher.add(1);
    await turn();
    expect(batches).toEqual([]);
    void batcher.add(2);
    expect(batches).toEqual([[1, 2]]);
    const soon = subject({ waitMs: 1 });
    void soon.batcher.add(1);
    await new Promise((done) => setTimeout(done, 20));
    expect(soon.batches).toEqual([[1]]);
  });

  it('collects while as many requests as allowed are under way', async () => {
    const { batcher, batches, answer } = subject({ requests: 2 });
    for (const item of [1, 2, 3, 4]) {
      void batcher.add(item);
      await turn();
    }
    expect(batches).toEqual([[1], [2]]);
    await answer();
    expect(batches).toEqual([[1], [2], [3, 4]]);
  });

  it('keeps the size of a request, and sends what is larger alone', async () => {
    const { batcher, batches } = subject({ sizeOf: (item) => item, maxSize: 5, requests: 9 });
    for (const item of [2, 3, 1, 9, 4]) void batcher.add(item);
    await turn();
    expect(batches).toEqual([[2, 3], [1], [9], [4]]);
  });

  it('puts together what fits together, in order', async () => {
    const { batcher, batches } = subject({ fits: (item, first) => item % 2 === first % 2, requests: 9 });
    for (const item of [1, 3, 2, 4, 5]) void batcher.add(item);
    await turn();
    expect(batches).toEqual([[1, 3], [2, 4], [5]]);
  });

  it('lets no slow request keep others from being sent, up to a number', async () => {
    const { batcher, batches, answer } = subject({ slowMs: 5 });
    for (let item = 1; item <= 12; item += 1) {
      void batcher.add(item);
      await new Promise((done) => setTimeout(done, 10));
    }
    expect(batches).toHaveLength(9);
    await answer();
    expect(batches.slice(8)).toEqual([[9], [10, 11, 12]]);
  });

  it('fails those whose request failed, and goes on', async () => {
    const { batcher, answer } = subject();
    const failing = Promise.allSettled([batcher.add(1), batcher.add(2)]);
    await turn();
    const working = batcher.add(3);
    await answer(new Error('down'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await answer();
    expect(await working).toBe(30);
  });

  it('answers each call by itself', async () => {
    const batcher = new Batcher<number, number>({
      send: async (batch) => {
        batch[0]?.resolve(1);
        batch[1]?.reject(new Error('refused'));
        throw new Error('down');
      },
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results).toMatchObject([{ value: 1 }, { reason: { message: 'refused' } }, { reason: { message: 'down' } }]);
  });
});
