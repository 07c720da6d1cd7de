import { LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import type { OpenClaim } from './account-plan';
import { type Accounts, bodyOf } from './accounts';
import { type InteractionIndex, VOID } from './interaction-index';
import { openAccountsRequest } from './ledger-requests';
import type { LedgerIndices, NamedDocument } from './showcase-index';

/** A claim that is open for longer is orphaned: its process died, or never heard whether its click was written. Milliseconds. */
const ORPHANED_AFTER = 60_000;

/** Ends claims that their own processes never ended, and answers their number. */
export async function settleOrphanedClaims(
  { connection, interactions, named }: LedgerIndices,
  accounts: Accounts,
  now: number,
): Promise<number> {
  const until = now - ORPHANED_AFTER;
  await connection.refresh(named.index);
  const { hits } = await connection.search<NamedDocument>(openAccountsRequest(named.index, until), LONG_TIMEOUT);
  let settled = 0;
  for (const { _source: account } of hits.hits) {
    if (!account) continue;
    const { store, name } = account;
    for (const open of bodyOf(account).open.filter(({ at }) => at <= until)) {
      const isSettled = await isBilled(interactions, store, open);
      accounts.end(store, name, open.claim, isSettled ? 'settled' : 'released');
      settled += 1;
    }
  }
  return settled;
}

/**
 * Whether the click was written by this claim. Where it was not, it never will be: its location is taken, so that a writer who is
 * only slow finds it so, and begins again.
 */
async function isBilled(interactions: InteractionIndex, store: string, open: OpenClaim): Promise<boolean> {
  const { claim, index, id, day, at } = open;
  const location = { index, id };
  for (;;) {
    const found = await interactions.read(location);
    if (found && found.source.measure !== VOID) return found.source.claim === claim;
    const nothing = { store, measure: VOID, campaign: '', product: '', placement: '', day, at, issued: at, cost: 0 };
    // Also where it is void already: a slow writer may be about to write over that.
    if (await interactions.put(location, nothing, found)) return false;
  }
}
