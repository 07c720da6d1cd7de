import { Acknowledged, eventually } from '../support/acknowledged';
import { embeddedMode } from '../support/modes';
import { type Json, must, QUERIES, type Reply, type StoreClient } from '../support/store-client';
import { type WatchedThreads, watchThreads } from '../support/threads';
import { startWholeApp, type WholeApp } from '../support/whole-app';

const ROUNDS = 5;

jest.setTimeout(120_000);

describe('a thread of the embedded service that dies', () => {
  let threads: WatchedThreads;
  let whole: WholeApp;
  let store: StoreClient;
  let written: Acknowledged;

  beforeAll(async () => {
    threads = watchThreads();
    whole = await startWholeApp(embeddedMode, { logLevel: 'warn' });
    store = await whole.store('loja');
    written = new Acknowledged(store);
    await written.writeMany(5);
  });
  afterAll(async () => {
    await whole?.close();
    threads.restore();
  });

  const metric = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await whole.send({ path: '/metrics' })).text)?.[1]);
  const isReady = async (): Promise<boolean> => (await whole.send({ path: '/health/ready' })).status === 200;
  const search = (): Promise<Reply> =>
    whole.send({ path: QUERIES, query: { terms: 'caneca' }, headers: store.headers });

  /** The clock of this service stands still: the pause before the next attempt of a job does not pass by itself. */
  async function completed(jobId: string): Promise<Json> {
    const job = store.completed(jobId);
    let ended = false;
    void job.catch(() => undefined).finally(() => (ended = true));
    await eventually(() => {
      whole.clock.advance(500);
      return ended;
    });
    return job;
  }

  it('the writer: what was under way is answered 503, nothing accepted is lost, and it writes again', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const load = written.writeMany(15, 8);
      await written.until(() => written.events.size > round * 20);
      await threads.kill('writer.thread');
      await load;
      await eventually(isReady);
      // Somebody who holds the lock of a thread that is gone would keep the next one from writing.
      const before = written.refused.length;
      await written.write();
      expect(written.refused.length).toBe(before);
    }
    expect(written.wrong).toEqual([]);
    expect(written.refused.length).toBeGreaterThan(ROUNDS);
    expect(await written.missing()).toEqual([]);
    expect(await metric('writer_thread_restarts')).toBe(ROUNDS);
    expect(threads.count('writer.thread')).toBe(ROUNDS + 1);
    expect(whole.log().match(/takes no writes.*The thread that writes the database has ended/g)).toHaveLength(ROUNDS);
    expect(whole.log().match(/takes writes again/g)).toHaveLength(ROUNDS);
  });

  it('the writer, while jobs run: each of them ends as it should', async () => {
    const jobs: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const reply = await store.admin({ method: 'POST', path: '/reindex' });
      jobs.push(String(must(reply, 202)['jobId']));
      await threads.kill('writer.thread');
      await eventually(isReady);
    }
    for (const jobId of jobs) await completed(jobId);
  });

  it('the search thread: searches are answered 503 until the next one has the index, and are right then', async () => {
    const before = await store.order({ terms: 'caneca' });
    expect(before.length).toBeGreaterThan(0);
    for (let round = 0; round < ROUNDS; round += 1) {
      // However fast the next one starts: it loads nothing before this says so.
      const next = threads.holdNext('search.thread');
      const underWay = Array.from({ length: 20 }, () => search());
      const killed = threads.kill('search.thread');
      for (const reply of [...(await Promise.all(underWay)), await search()]) {
        expect([200, 503]).toContain(reply.status);
        if (reply.status === 503) expect(reply.headers['retry-after']).toBe('1');
      }
      await killed;
      expect(await isReady()).toBe(false);
      await eventually(() => threads.count('search.thread') === round + 2);
      expect(await isReady()).toBe(false);
      expect((await search()).status).toBe(503);
      next.release();
      await eventually(isReady);
      expect(await store.order({ terms: 'caneca' })).toEqual(before);
    }
    expect(await metric('search_thread_restarts')).toBe(ROUNDS);
    expect(whole.log().match(/The search thread has ended and is started again/g)).toHaveLength(ROUNDS);
    // What is written afterwards is found.
    await written.write();
    expect(await written.missing()).toEqual([]);
  });
});
