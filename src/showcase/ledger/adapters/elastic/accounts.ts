import { randomUUID } from 'node:crypto';
import { type BatchedCall, Batcher } from '../../../../shared/async/batcher';
import { Delayed } from '../../../../shared/async/delayed';
import { retryOnConflict } from '../../../../shared/async/retry';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import {
  type AccountBody,
  type ClaimEnd,
  type ClaimRequest,
  emptyAccount,
  openSince,
  planAccount,
} from './account-plan';
import { type NamedDocument, type ShowcaseIndex, type ShowcaseName, WRITERS } from './showcase-index';

/** A claim is refused only on a state that is no older than this: another process may have released money. Milliseconds. */
const BELIEVED_MS = 500;
/** Settled claims leave the account with the next claim, or after this time without one. Milliseconds. */
const TIDY_MS = 300;

interface AccountState {
  found: Found<NamedDocument> | null;
  body: AccountBody;
  /** As `performance.now()`. */
  readAt: number;
}

/** One campaign's account. Claims of this process share a write, each decided on what those before it have left. */
class Account {
  private readonly ended = new Map<string, ClaimEnd>();
  private state: AccountState | null = null;
  /** An item null claims nothing: the write only takes off claims that have ended. */
  private readonly writes = new Batcher<ClaimRequest | null, boolean>({ send: (batch) => this.write(batch) });
  private readonly tidying = new Delayed(TIDY_MS, () => this.writes.add(null));

  constructor(
    private readonly index: ShowcaseIndex,
    private readonly name: ShowcaseName,
  ) {}

  claim(request: ClaimRequest): Promise<boolean> {
    return this.writes.add(request);
  }

  end(claim: string, how: ClaimEnd): void {
    this.ended.set(claim, how);
    // The released money may be what another click needs.
    if (how === 'released') void this.tidying.run().catch(() => undefined);
    else this.tidying.schedule();
  }

  private async write(batch: BatchedCall<ClaimRequest | null, boolean>[]): Promise<void> {
    this.tidying.cancel();
    const requests = batch.flatMap(({ item }) => item ?? []);
    const ended = new Map(this.ended);
    try {
      const granted = requests.length + ended.size > 0 ? await this.plan(requests, ended) : [];
      for (const claim of ended.keys()) this.ended.delete(claim);
      let answered = 0;
      for (const { item, resolve } of batch) resolve(item !== null && granted[answered++] === true);
    } catch (error) {
      // Whether it was written is unknown. A claim that was stays open until `settleOrphanedClaims` finds no click of it.
      this.state = null;
      throw error;
    }
  }

  /** Whether each is granted. */
  private plan(requests: ClaimRequest[], ended: ReadonlyMap<string, ClaimEnd>): Promise<boolean[]> {
    // A claim of another process, now dead, is ended here: a state from before that claim is too old.
    if (this.state && !knowsAll(this.state.body, ended)) this.state = null;
    const attempt = async (): Promise<boolean[] | null> => {
      let state = this.state ?? (await this.read());
      let plan = planAccount(state.body, requests, ended);
      if (plan.granted.includes(false) && performance.now() - state.readAt > BELIEVED_MS) {
        state = await this.read();
        plan = planAccount(state.body, requests, ended);
      }
      const { body, granted, changed } = plan;
      if (!changed) return granted;
      const content = { since: openSince(body), body: JSON.stringify(body) };
      const found = await this.index.writeOver(this.name, state.found, content);
      this.state = found && { found, body, readAt: performance.now() };
      return found && granted;
    };
    const exhausted = (): Error => unavailable(new Error('Too many writers of the same account'));
    return retryOnConflict(attempt, { ...WRITERS, exhausted });
  }

  private async read(): Promise<AccountState> {
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

  end(store: string, campaign: string, claim: string, how: ClaimEnd): void {
    this.of(store, campaign).end(claim, how);
  }

  /** By the ids of the campaigns. */
  async spent(store: string, campaigns: readonly string[]): Promise<Map<string, AccountBody>> {
    const found = await this.index.read(campaigns.map((campaign) => accountName(store, campaign)));
    return new Map(campaigns.map((campaign, index) => [campaign, bodyOf(found[index]?.source ?? null)]));
  }

  private of(store: string, campaign: string): Account {
    const key = JSON.stringify([store, campaign]);
    let account = this.accounts.get(key);
    if (!account) this.accounts.set(key, (account = new Account(this.index, accountName(store, campaign))));
    return account;
  }
}

export function accountName(store: string, name: string): ShowcaseName {
  return { kind: 'account', store, name };
}

export function bodyOf(document: NamedDocument | null): AccountBody {
  return document ? (JSON.parse(document.body) as AccountBody) : emptyAccount;
}
