import { retryOnConflict } from '../../../../shared/async/retry';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { Found } from '../../../../storage/elastic/read-batcher';
import { writeOver } from '../../../../storage/elastic/write-over';
import { type AccountBody, openSince } from './account-plan';
import { accountName, bodyOf } from './accounts';
import type { InteractionDocument, InteractionLocation } from './interaction-index';
import { type LedgerIndices, WRITERS } from './showcase-index';

interface OpenCredits {
  store: string;
  campaign: string;
  /** As a search has found them; they may be ended by now. */
  clicks: readonly InteractionDocument[];
}

interface OpenClick {
  location: InteractionLocation;
  found: Found<InteractionDocument>;
}

/** Gives an account back what open credits are worth, each once, and ends them. */
export async function creditAccount(indices: LedgerIndices, { store, campaign, clicks }: OpenCredits): Promise<void> {
  const { interactions, named } = indices;
  const name = accountName(store, campaign);
  const own = clicks.map(({ issued, id }) => interactions.locationOf({ store, issuedAt: issued }, id));
  const attempt = async (): Promise<OpenClick[] | null> => {
    const [account = null] = await named.read([name]);
    const before = bodyOf(account?.source ?? null);
    // Read after the account: a click leaves the account's list only once it has ended, so that one which is open now and not in the
    // list has not been given back in this state of the account, and the write below succeeds on no other.
    const open = await openAmong(indices, [...own, ...(before.credited ?? [])]);
    const after = account && credited(before, open);
    if (!after) return open;
    return (await named.writeOver(name, account, { since: openSince(after), body: JSON.stringify(after) })) && open;
  };
  const exhausted = (): Error => unavailable(new Error('Too many writers of the same account'));
  const open = await retryOnConflict(attempt, { ...WRITERS, exhausted });
  if (open.length === 0) return;
  // Somebody who changes one at the same time leaves it open; it is in the account's list, and ended by the next call.
  await interactions.write(
    open.map(({ location, found }) => {
      const { credit: _credit, ...ended } = found.source;
      return writeOver(location, ended, found);
    }),
  );
}

async function openAmong(
  { interactions }: LedgerIndices,
  locations: readonly InteractionLocation[],
): Promise<OpenClick[]> {
  const unique = [...new Map(locations.map((location) => [keyOf(location), location])).values()];
  const found = await interactions.readAll(unique);
  return unique.flatMap((location, index): OpenClick[] => {
    const click = found[index];
    return click?.source.credit === 'open' ? [{ location, found: click }] : [];
  });
}

const keyOf = ({ index, id }: InteractionLocation): string => `${index}/${id}`;

/** The account with the money of those open clicks that it does not list yet; null where nothing changes. */
function credited(before: AccountBody, open: readonly OpenClick[]): AccountBody | null {
  const listed = new Set((before.credited ?? []).map(keyOf));
  const due = open.filter(({ location }) => !listed.has(keyOf(location)));
  if (due.length === 0 && open.length === listed.size) return null;
  let { total } = before;
  const days = { ...before.days };
  for (const { found } of due) {
    const { cost, day } = found.source;
    total -= cost;
    const known = days[day];
    // Budgets of days that are not there any more are over.
    if (known !== undefined) days[day] = known - cost;
  }
  return { ...before, total, days, credited: open.map(({ location }) => location) };
}
