import { setTimeout as wait } from 'node:timers/promises';
import { aProduct } from '../builders/a-product';
import { type Json, must, type Reply, type Send, StoreClient } from './store-client';

const DAY = 86_400_000;
const HISTORY = 40;
/** Of a busy machine, and of one whose other process was killed: leases, looks and retries. */
const LONGEST_MS = 150_000;
const LOOK_EVERY_MS = 50;
/** Stores are made so many at a time: what is tested is the change, not how many stores a machine can make at once. */
const MADE_AT_ONCE = 5;
/** Of one store, on a machine that is busy with others. */
const MADE_TRIES = 5;

/** How one process is asked for a change, and where it is looked whether it came about. */
export interface Ways {
  asked: Send;
  looked: Send;
  adminToken: string;
}

/** One change of one store of its own: `ready` before it, `ask` for it, and in the end `right`. */
export interface Try {
  /** The admin call, and the status of its answer. */
  change: { method: string; path: string; headers?: Record<string, string>; body?: unknown; status: number };
  store: StoreClient;
  /** What was wrong on the first look after the answer and the job's end; empty: nothing. */
  wrong(answer: Reply | null): Promise<string>;
}

export type Kind = 'deleted' | 'imported' | 'language' | 'sensitive' | 'halfLife';
export const KINDS: readonly Kind[] = ['deleted', 'imported', 'language', 'sensitive', 'halfLife'];

/** Waits until it holds; false where it never did. */
export async function comesToHold(holds: () => Promise<boolean>, ms = LONGEST_MS): Promise<boolean> {
  const since = performance.now();
  for (;;) {
    if (await holds().catch(() => false)) return true;
    if (performance.now() - since > ms) return false;
    await wait(LOOK_EVERY_MS);
  }
}

/** Makes tries of each kind. `rows`: everything that is stored, as text. */
export class ChangeTries {
  private made = 0;

  constructor(
    private readonly ways: () => Ways,
    private readonly rows: () => Promise<string>,
  ) {}

  /** Several of one kind. Some need a while before they are ready, so they are made side by side. */
  async makeMany(kind: Kind, count: number): Promise<Try[]> {
    const made: Try[] = [];
    let begun = 0;
    const maker = async (): Promise<void> => {
      while (begun < count) {
        begun += 1;
        made.push(await this.make(kind));
      }
    };
    await Promise.all(Array.from({ length: MADE_AT_ONCE }, maker));
    return made;
  }

  /** A store in which the change will be seen; `imported` has none before its change. What failed half-way is made anew, under another name. */
  async make(kind: Kind): Promise<Try> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.makeOnce(kind);
      } catch (error) {
        if (tried === MADE_TRIES) throw error;
      }
    }
  }

  private async makeOnce(kind: Kind): Promise<Try> {
    const name = `${kind.toLowerCase()}${(this.made += 1)}`;
    const { asked, adminToken } = this.ways();
    const store = await StoreClient.create(asked, adminToken, { apiKey: name });
    if (kind === 'deleted') return this.deleted(store, name);
    if (kind === 'imported') return this.imported(store, name);
    if (kind === 'language') return this.language(store, name);
    if (kind === 'sensitive') return this.sensitive(store, name);
    return this.halfLife(store, name);
  }

  /** Asks for it, and answers what was wrong. */
  async run(one: Try): Promise<string> {
    const { status, ...call } = one.change;
    const answer = await one.store.admin(call);
    // It is asked again where a busy machine answered too late: what came about the first time is not there any more.
    if (call.method === 'DELETE' && answer.status === 404) return one.wrong(null);
    if (answer.status !== status) return `answered ${answer.status} ${answer.text}`;
    return one.wrong(answer);
  }

  /** The same store through the process that did not make the change. */
  private elsewhere(store: StoreClient): StoreClient {
    return store.through(this.ways().looked);
  }

  private async jobOf(store: StoreClient, answer: Reply | null, kind: string): Promise<Json | null> {
    const headers = { authorization: `Bearer ${this.ways().adminToken}` };
    const id = answer?.json['jobId'];
    const path = typeof id === 'string' ? `/admin/jobs/${id}` : '/admin/jobs';
    const query = typeof id === 'string' ? {} : { store: store.keys.apiKey, kind };
    const found = must(await this.ways().looked({ path, query, headers }), 200);
    return typeof id === 'string' ? found : ((found['jobs'] as Json[])[0] ?? null);
  }

  /** The job of a change once it has ended; null where there never was one. */
  private async ended(store: StoreClient, answer: Reply | null, kind: string): Promise<Json | null> {
    let job: Json | null = null;
    let looks = 0;
    await comesToHold(async () => {
      job = await this.jobOf(store, answer, kind);
      // Of a job that is not seen to end: whether it was looked at, or nobody answered.
      if (job) job['looks'] = looks += 1;
      return ['completed', 'failed', 'cancelled'].includes(String(job?.['state']));
    });
    return job;
  }

  private async deleted(store: StoreClient, name: string): Promise<Try> {
    const id = `gone-${name}-x`;
    await store.putMany([aProduct({ id, name: 'Tênis' })]);
    await store.event('product', { userId: id, pid: id });
    const { looked } = this.ways();
    // Goes on through the other one, until it is refused.
    let refused = false;
    const going = async (): Promise<void> => {
      for (let times = 0; !refused; times += 1) {
        const headers = { origin: store.keys.origin };
        const body = { userId: id, pid: id, eventId: `${id}-${times}` };
        const sent = await looked({ method: 'POST', path: '/v7/events/views/product', headers, body }).catch(
          () => null,
        );
        refused ||= sent === null || sent.status === 403;
      }
    };
    const clients = going();
    const wrong = async (answer: Reply | null): Promise<string> => {
      // Unanswered, it may not have come about: whoever wants it asks again.
      if (!answer) await this.elsewhere(store).admin({ method: 'DELETE', path: '' });
      const keys = await this.ways().looked({ path: '/searchapi/v3/queries', headers: store.headers });
      if (answer && keys.status !== 401) return `its keys were answered ${keys.status} after it was deleted`;
      const job = answer && (await this.ended(store, answer, 'store.erase'));
      refused = true;
      await clients;
      if (answer && job?.['state'] !== 'completed') return `its job: ${JSON.stringify(job)}`;
      const isGone = async (): Promise<boolean> => !(await this.rows()).includes(id);
      if (answer ? await isGone() : await comesToHold(isGone)) return '';
      return `something is left of it: ${excerpt(await this.rows(), id)} (${JSON.stringify(job)})`;
    };
    return { change: { method: 'DELETE', path: '', status: 202 }, store, wrong };
  }

  private async imported(store: StoreClient, name: string): Promise<Try> {
    const body = history(name, HISTORY, DAY);
    const wrong = async (answer: Reply | null): Promise<string> => {
      if (!answer) return '';
      const job = await this.ended(store, answer, 'events.import');
      const result = job?.['result'] as Record<string, number> | undefined;
      const taken = (result?.['accepted'] ?? 0) + (result?.['unchanged'] ?? 0);
      const exported = (await this.elsewhere(store).exported(name)).filter(({ body: sent }) => sent !== undefined);
      if (exported.length !== HISTORY)
        return `${exported.length} of ${HISTORY} events are there: ${JSON.stringify(job)}`;
      return taken === HISTORY || Number(job?.['attempts']) > 1 ? '' : `its job: ${JSON.stringify(job)}`;
    };
    return { change: { method: 'POST', path: '/events/imports', headers: NDJSON, body, status: 202 }, store, wrong };
  }

  private async language(store: StoreClient, name: string): Promise<Try> {
    const id = `w-${name}`;
    await store.putMany([aProduct({ id, name: 'Ponies' })]);
    const found = async (): Promise<boolean> => (await this.elsewhere(store).order({ terms: 'pony' })).includes(id);
    if (await found()) throw new Error('It is found in the old language already');
    return this.setting(store, { language: 'en' }, { job: 'catalog.reindex', holds: found });
  }

  private async sensitive(store: StoreClient, name: string): Promise<Try> {
    const pid = `p-${name}`;
    await store.putMany([aProduct({ id: pid, categories: ['Saúde > Testes'] })]);
    let looks = 0;
    const holds = async (): Promise<boolean> => {
      const userId = `u-${name}-${(looks += 1)}`;
      const there = this.elsewhere(store);
      await there.event('product', { userId, pid });
      const vector = await there.vector('users', userId);
      return (vector['weights'] as Json[]).length === 0;
    };
    return this.setting(store, { sensitiveCategories: ['Saúde'] }, { job: 'catalog.reindex', holds });
  }

  private async halfLife(store: StoreClient, name: string): Promise<Try> {
    const pid = `p-${name}`;
    await store.putMany([aProduct({ id: pid })]);
    const body = history(name, 1, 100 * DAY, pid);
    const { jobId } = must(await store.admin({ method: 'POST', path: '/events/imports', headers: NDJSON, body }), 202);
    await store.completed(String(jobId));
    // Until it is in the long-term vector: what is recent follows the setting by itself.
    const aggregated = async (): Promise<boolean> => {
      const vector = await store.vector('users', name);
      return (vector['overlay'] as Json[]).length === 0 && (vector['weights'] as Json[]).length > 0;
    };
    if (!(await comesToHold(aggregated))) throw new Error('It was not aggregated');
    const weight = async (): Promise<number> => {
      const { weights } = await this.elsewhere(store).vector('users', name);
      return (weights as { weight: number }[])[0]?.weight ?? 0;
    };
    const before = await weight();
    // A hundred days are seven half-lives of before, and a quarter of one now.
    const holds = async (): Promise<boolean> => (await weight()) > 50 * before;
    return this.setting(store, { halfLife: { view: '400d' } }, { job: 'vectors.rebuild', holds });
  }

  private setting(store: StoreClient, settings: Json, due: { job: string; holds: () => Promise<boolean> }): Try {
    const isSet = async (): Promise<boolean> => {
      const { settings: kept } = must(await this.elsewhere(store).admin({ path: '' }), 200);
      return Object.entries(settings).every(([name, value]) => includes((kept as Json)[name], value));
    };
    const wrong = async (answer: Reply | null): Promise<string> => {
      // Unanswered, it may have come about or not; then it has in every part.
      if (!answer) return !(await isSet()) || (await comesToHold(due.holds)) ? '' : 'only a part of it came about';
      if (!(await isSet())) return 'the other process does not know the setting';
      const job = await this.ended(store, null, due.job);
      if (job?.['state'] !== 'completed') return `its job: ${JSON.stringify(job)}`;
      return (await due.holds()) ? '' : 'its job worked by the old setting';
    };
    return { change: { method: 'PATCH', path: '', body: { settings }, status: 200 }, store, wrong };
  }
}

const NDJSON = { 'content-type': 'application/x-ndjson' };

/** Views of one user, the last of them so long ago. */
function history(userId: string, events: number, ageMs: number, pid = 'p1'): string {
  const line = (number: number): string => {
    const timestamp = Date.now() - ageMs - number * 60_000;
    return JSON.stringify({ name: 'product', eventId: `${userId}-${number}`, userId, pid, timestamp });
  };
  return Array.from({ length: events }, (_, number) => line(number)).join('\n');
}

function includes(kept: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) {
    return JSON.stringify(kept) === JSON.stringify(wanted);
  }
  return Object.entries(wanted).every(([name, value]) => includes((kept as Json)[name], value));
}

function excerpt(text: string, word: string): string {
  const at = text.indexOf(word);
  return text.slice(Math.max(0, at - 200), at + 100);
}
