import { setTimeout as sleep } from 'node:timers/promises';
import { aProduct } from '../builders/a-product';
import { ServiceProcess } from '../support/service-process';
import { ENGAGE, QUERIES, type Json, must, patient, type Query, type Send, StoreClient } from '../support/store-client';
import { Dice } from '../support/dice';
import { describeModes } from '../support/modes';

const ROUNDS = 3;
const SHOPPERS = ['ana', 'bruno', 'carla', 'diego'];
const WRITERS = 6;
/** Milliseconds for a test, with starts and kills of several processes in it, on a busy machine. */
const LONGEST_MS = 120_000;
/** A kill comes after so many answers, wherever the requests under way are by then; not after a time, which a busy machine stretches. */
const KILL = { from: 60, to: 400 };
/**
 * How far back the events lie. Kinds decay at their own rates: where all is seconds old, two products with as much evidence of
 * different kinds may change places within those seconds, as they should.
 */
const HISTORY_MS = 6 * 86_400_000;

/** What the service said it has. */
interface Accepted {
  /** Event ids by user. */
  events: Map<string, Set<string>>;
  /** By product, what was written to it: the latest answered, and those since then that never were. */
  writes: Map<string, { version: number; answered: string; underWay: string[] }>;
  /** Products of NDJSON that was answered. */
  lines: Set<string>;
}

describeModes((mode) => {
  const accepted: Accepted = {
    events: new Map(SHOPPERS.map((user) => [user, new Set()])),
    writes: new Map(),
    lines: new Set(),
  };
  const dice = new Dice(20_260_115);
  const moments = new Dice(7);
  const place = mode.place();
  let service: ServiceProcess;
  let store: StoreClient;
  let serial = 0;
  let answers = 0;

  beforeAll(async () => {
    service = await ServiceProcess.start(place.env);
    store = await StoreClient.create(sender(), service.adminToken(), { apiKey: 'loja' });
    await store.putMany(products('base', 40));
    await untilLearned();
    for (const [index, userId] of SHOPPERS.entries()) {
      await store.event('product', { userId, eventId: `${userId}-first`, pid: `base-${index}` });
      accepted.events.get(userId)?.add(`${userId}-first`);
    }
  }, LONGEST_MS);
  afterAll(async () => {
    await service.kill();
    await place.remove();
  });

  /** Elasticsearch on a busy machine may be late, and says so; the embedded service never has to. */
  const sender = (): Send => (mode.name === 'production' ? patient(service.send) : service.send);

  /** The catalog of a new store is learned seconds after it came, which moves orders; and not again for ten minutes. */
  async function untilLearned(): Promise<void> {
    const headers = { authorization: `Bearer ${service.adminToken()}` };
    const query = { kind: 'learning.run', state: 'completed' };
    for (;;) {
      const { jobs } = must(await sender()({ path: '/admin/jobs', query, headers }), 200) as { jobs: Json[] };
      if (jobs.length > 0) return;
      await sleep(100);
    }
  }

  function products(kind: string, count: number): Json[] {
    return Array.from({ length: count }, (_, index) => product(`${kind}-${index}`, index));
  }

  function product(id: string, index: number): Json {
    const brand = ['Acme', 'Bravo', 'Corda'][index % 3];
    return aProduct({
      id,
      brand,
      name: `Caneca ${brand} ${id}`,
      categories: ['Casa > Cozinha'],
      price: 10 + (index % 90),
    });
  }

  /** One client: sends until the service is gone, and notes what it was answered. */
  async function client(number: number, enough: () => void): Promise<void> {
    for (;;) {
      serial += 1;
      const id = `${number}-${serial}`;
      try {
        if (number === 0) await feed(id);
        else if (number === 1) await write(id);
        else await visit(id);
        answers += 1;
        enough();
      } catch (error) {
        // Cut off: never answered, so nothing was promised. An answer that is no success is a failure at any time.
        if (!isCutOff(error)) throw error;
        return;
      }
    }
  }

  async function feed(id: string): Promise<void> {
    const batch = products(`feed-${id}`, 25);
    const result = await store.putMany(batch);
    expect(result).toEqual({ accepted: 25, rejected: [] });
    for (const one of batch) accepted.lines.add(String(one['id']));
  }

  /** Few products, written over and over: the latest version answered has to be there. */
  async function write(id: string): Promise<void> {
    const productId = `put-${dice.below(5)}`;
    const before = accepted.writes.get(productId);
    before?.underWay.push(id);
    const { version } = await store.put({ ...product(productId, dice.below(90)), description: id });
    expect(version).toBeGreaterThan(before?.version ?? 0);
    accepted.writes.set(productId, { version, answered: id, underWay: [] });
  }

  async function visit(id: string): Promise<void> {
    const userId = dice.of(SHOPPERS);
    const pid = `base-${dice.below(40)}`;
    const name = dice.of(['product', 'cart', 'transaction']);
    const content = name === 'product' ? { pid } : { id, items: [{ pid, quantity: 1 }] };
    await store.event(name, { userId, eventId: id, timestamp: Date.now() - dice.below(HISTORY_MS), ...content });
    accepted.events.get(userId)?.add(id);
  }

  function isCutOff(error: unknown): boolean {
    const { code, message } = error as { code?: string; message?: string };
    return /ECONN|EPIPE/.test(code ?? '') || /socket hang up|aborted/.test(message ?? '');
  }

  async function restart(): Promise<void> {
    service = await ServiceProcess.start(place.env);
    store = store.through(sender());
  }

  async function loadAndKill(): Promise<void> {
    const killAt = answers + KILL.from + moments.below(KILL.to - KILL.from);
    let killed: Promise<void> | undefined;
    const enough = (): void => {
      if (answers >= killAt) killed ??= service.kill();
    };
    const clients = Array.from({ length: WRITERS }, (_, number) => client(number, enough));
    await Promise.all(clients);
    await killed;
  }

  async function missingEvents(): Promise<string[]> {
    const missing: string[] = [];
    for (const [user, ids] of accepted.events) {
      const exported = await store.exported(user);
      const kept = new Set(exported.map(({ body }) => (body as Json | undefined)?.['eventId']));
      missing.push(...[...ids].filter((id) => !kept.has(id)));
    }
    return missing;
  }

  async function found(pids: readonly string[]): Promise<Set<string>> {
    const seen = new Set<string>();
    for (let from = 0; from < pids.length; from += 100) {
      for (const id of await store.order({ pids: pids.slice(from, from + 100) })) seen.add(id);
    }
    return seen;
  }

  async function missingProducts(): Promise<string[]> {
    const wanted = [...accepted.lines, ...accepted.writes.keys()];
    const seen = await found(wanted);
    return wanted.filter((id) => !seen.has(id));
  }

  /** Products that are found as something else than what was last written to them. */
  async function staleProducts(): Promise<Json[]> {
    // The first kill may come before the first write; over all rounds some are due, below.
    if (accepted.writes.size === 0) return [];
    const reply = await store.search({ pids: [...accepted.writes.keys()] }, ENGAGE);
    return reply.products.filter((shown) => {
      const { answered = '', underWay = [] } = accepted.writes.get(shown.id) ?? {};
      const { description } = shown as Json;
      return ![answered, ...underWay].includes(String(description));
    });
  }

  /** All that must be the same after a restart: order, scores, ids of filters, vectors. */
  async function atRest(): Promise<Json> {
    const queries: [string, Query][] = [
      [QUERIES, { terms: 'caneca', resultsPerPage: 100 }],
      [QUERIES, { terms: 'caneca acme', userId: 'ana', resultsPerPage: 50 }],
      [ENGAGE, { terms: 'caneca', userId: 'bruno', resultsPerPage: 50, page: 2 }],
      [ENGAGE, { terms: 'bravo', userId: 'carla', filter: 'price:10..60' }],
    ];
    const searches: unknown[] = [];
    for (const [path, query] of queries) {
      const { size, products: listed, filters } = await store.search(query, path);
      searches.push({ size, filters, order: listed.map(({ id }) => id) });
    }
    const vectors: unknown[] = [];
    for (const user of SHOPPERS) {
      const { weights } = await store.vector('users', user);
      vectors.push(countsOf(weights));
    }
    return { searches, vectors };
  }

  /** A weight decays as time goes by; what it came from doesn't. */
  function countsOf(weights: unknown): unknown[] {
    return (weights as { feature: string; sources: unknown }[])
      .map(({ feature, sources }) => ({ feature, sources }))
      .sort((a, b) => (a.feature < b.feature ? -1 : 1));
  }

  describe('a service that is killed while it works', () => {
    test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
      'has every event and product it answered for after kill %i, and starts at once',
      async () => {
        await loadAndKill();
        await restart();
        expect(await missingEvents()).toEqual([]);
        expect(await missingProducts()).toEqual([]);
        expect(await staleProducts()).toEqual([]);
      },
      LONGEST_MS,
    );

    test('was under load each time: the rounds above had something to lose', () => {
      const events = [...accepted.events.values()].reduce((sum, ids) => sum + ids.size, 0);
      expect(answers).toBeGreaterThanOrEqual(ROUNDS * KILL.from);
      expect([events > ROUNDS * 10, accepted.lines.size > 0, accepted.writes.size > 0]).toEqual([true, true, true]);
    });

    test('goes on from the versions it answered: a write after the kill is newer than every one before it', async () => {
      const newest = Math.max(...[...accepted.writes.values()].map(({ version }) => version));
      for (const id of accepted.writes.keys()) {
        const { version } = await store.put({ ...product(id, 1), description: 'Depois' });
        expect(version).toBeGreaterThan(newest);
        expect(await store.order({ terms: id, resultsPerPage: 1 })).toEqual([id]);
      }
    });

    test('counts an event once that a client sends again, because it never heard of the first', async () => {
      const [again] = [...(accepted.events.get('ana') ?? [])].slice(-1);
      const before = (await store.exported('ana')).length;
      await store.event('product', { userId: 'ana', eventId: again, pid: 'base-1' });
      expect((await store.exported('ana')).length).toBe(before);
    });

    test(
      'answers the same after kills at rest and while it was starting: orders, filter ids and vectors',
      async () => {
        // What was cut off between the log and the recent events was never answered. The embedded service has both or neither; here it is looked
        // for when the process has been silent for a minute, and found by a rebuild at once.
        if (mode.name === 'production') await store.rebuild();
        const before = await atRest();
        await service.kill();
        for (let times = 0; times < 2; times += 1)
          await ServiceProcess.killWhileStarting(place.env, 100 + dice.below(900));
        await restart();
        expect(await atRest()).toEqual(before);
      },
      LONGEST_MS,
    );

    test(
      'makes the same vectors anew from the log, and moves no order',
      async () => {
        const before = await atRest();
        await store.rebuild();
        expect(await atRest()).toEqual(before);
      },
      LONGEST_MS,
    );

    test(
      'ends with exit code 0 when it is asked to, and has it all afterwards',
      async () => {
        await visit('last-words');
        const { code } = await service.stop();
        expect(code).toBe(0);
        await restart();
        expect(await missingEvents()).toEqual([]);
      },
      LONGEST_MS,
    );
  });
});
