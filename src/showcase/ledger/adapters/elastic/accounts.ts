import { randomUUID } from 'node:crypto';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import { type AccountBody, type ClaimEnd, type ClaimRequest, emptyAccount, planAccount } from './account-plan';
import { type Name, type NamedDocument, pause, type ShowcaseIndex } from './showcase-index';

const TRIES = 60;
/** A refusal on a state that was read longer ago is looked at again: what was released elsewhere may be spent. Milliseconds. */
const BELIEVED_MS = 500;
/** Claims whose clicks are in the ledger leave the account with the next claim, or after so long without one. */
const TIDY_MS = 300;

interface Waiting {
  request: ClaimRequest;
  resolve(granted: boolean): void;
  reject(error: unknown): void;
}

interface State {
  found: Found<NamedDocument> | null;
  body: AccountBody;
  /** As `performance.now()`. */
  readAt: number;
}

/** One campaign's account. The claims of this process share a write, each decided on what the ones before it have left. */
class Account {
  private waiting: Waiting[] = [];
  private readonly ended = new Map<string, ClaimEnd>();
  private state: State | null = null;
  private draining = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly index: ShowcaseIndex,
    private readonly name: Name,
  ) {}

  claim(request: ClaimRequest): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      this.drain();
    });
  }

  end(claim: string, how: ClaimEnd): void {
    this.ended.set(claim, how);
    // What is given back may be what another is waiting for.
    if (how === 'released') this.drain();
    else this.timer ??= setTimeout(() => this.drain(), TIDY_MS).unref();
  }

  private drain(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.draining) return;
    this.draining = true;
    void this.work();
  }

  private async work(): Promise<void> {
    // Claims that are made in the same turn of the event loop share a write.
    await new Promise((done) => setImmediate(done));
    let goesOn = true;
    while (goesOn && (this.waiting.length > 0 || this.ended.size > 0)) {
      const batch = this.waiting.splice(0);
      const ended = new Map(this.ended);
      try {
        const granted = await this.write(
          batch.map(({ request }) => request),
          ended,
        );
        for (const claim of ended.keys()) this.ended.delete(claim);
        batch.forEach(({ resolve }, place) => resolve(granted[place] === true));
      } catch (error) {
        // It may have been written or not. What was claimed stays open, until somebody sees that no click came of it.
        this.state = null;
        for (const { reject } of batch) reject(error);
        goesOn = batch.length > 0;
      }
    }
    // At once: nothing may come between the last look for work and this.
    this.draining = false;
  }

  private async write(requests: ClaimRequest[], ended: ReadonlyMap<string, ClaimEnd>): Promise<boolean[]> {
    // What another process has claimed is not in a state from before: somebody's who died is ended here.
    if (this.state && !knowsAll(this.state.body, ended)) this.state = null;
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const state = this.state ?? (await this.read());
      const { body, granted, changed } = planAccount(state.body, requests, ended);
      const refused = granted.includes(false) && performance.now() - state.readAt > BELIEVED_MS;
      if (!refused && !changed) return granted;
      if (refused) {
        this.state = null;
        continue;
      }
      const since = body.open.length === 0 ? 0 : Math.min(...body.open.map(({ at }) => at));
      const found = await this.index.writeOver(this.name, state.found, { since, body: JSON.stringify(body) });
      if (found) {
        this.state = { found, body, readAt: performance.now() };
        return granted;
      }
      this.state = null;
      await pause(tried);
    }
    throw unavailable(new Error('Too many writers of the same account'));
  }

  private async read(): Promise<State> {
    const readAt = performance.now();
    const [found = null] = await this.index.read([this.name]);
    this.state = { found, body: bodyOf(found?.source ?? null), readAt };
    return this.state;
  }
}

function knowsAll({ open }: AccountBody, ended: ReadonlyMap<string, ClaimEnd>): boolean {
  const claims = new Set(open.map(({ claim }) => claim));
  return [...ended.keys()].every((claim) => claims.has(claim));
}

/**
 * What campaigns have spent: a document for each, written only over the state it was decided on, so that no two processes can spend
 * the same money (docs/adr/0012-money-is-claimed-before-the-click.md).
 */
export class Accounts {
  private readonly accounts = new Map<string, Account>();

  constructor(private readonly index: ShowcaseIndex) {}

  /** The name of the claim; null where a budget would be exceeded. */
  async claim(store: string, campaign: string, request: Omit<ClaimRequest, 'claim'>): Promise<string | null> {
    const claim = randomUUID();
    return (await this.of(store, campaign).claim({ ...request, claim })) ? claim : null;
  }

  end(store: string, campaign: string, { claim, how }: { claim: string; how: ClaimEnd }): void {
    this.of(store, campaign).end(claim, how);
  }

  async spent(store: string, campaigns: readonly string[]): Promise<AccountBody[]> {
    const found = await this.index.read(campaigns.map((campaign) => accountName(store, campaign)));
    return found.map((one) => bodyOf(one?.source ?? null));
  }

  private of(store: string, campaign: string): Account {
    const key = JSON.stringify([store, campaign]);
    let account = this.accounts.get(key);
    if (!account) this.accounts.set(key, (account = new Account(this.index, accountName(store, campaign))));
    return account;
  }
}

export const accountName = (store: string, campaign: string): Name => ({ kind: 'account', store, name: campaign });

export function bodyOf(document: NamedDocument | null): AccountBody {
  return document ? (JSON.parse(document.body) as AccountBody) : emptyAccount;
}
