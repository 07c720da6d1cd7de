import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import type { OpenClaim } from './account-plan';
import { type Accounts, bodyOf } from './accounts';
import { type InteractionIndex, VOID } from './interaction-index';
import { openAccountsRequest } from './ledger-requests';
import type { NamedDocument, ShowcaseIndex } from './showcase-index';

/** A claim that is open for longer was left by a process that died, or that never heard whether its click was written. Milliseconds. */
const LEFT_AFTER = 60_000;

interface Parts {
  connection: ElasticConnection;
  hits: InteractionIndex;
  index: ShowcaseIndex;
  accounts: Accounts;
  clock: Clock;
}

/** Finds out what became of claims that nobody has ended. */
export class OrphanedClaims {
  constructor(private readonly parts: Parts) {}

  async settle(): Promise<number> {
    const { connection, index, clock } = this.parts;
    const until = clock.now() - LEFT_AFTER;
    await index.refresh();
    const { hits } = await connection.call(
      (client, options) => client.search<NamedDocument>(openAccountsRequest(index.index, until), options),
      LONG_TIMEOUT,
    );
    let settled = 0;
    for (const { _source: account } of hits.hits) {
      if (!account) continue;
      for (const claim of bodyOf(account).open) {
        if (claim.at > until) continue;
        await this.end(account, claim);
        settled += 1;
      }
    }
    return settled;
  }

  private async end({ store, name }: NamedDocument, open: OpenClaim): Promise<void> {
    const { accounts } = this.parts;
    const how = (await this.isBilled(store, open)) ? 'settled' : 'released';
    accounts.end(store, name, { claim: open.claim, how });
  }

  /**
   * Whether the click was written by this claim. Where it was not, nothing ever will be: its place is taken, so that a writer who is
   * only slow finds it so, and begins again.
   */
  private async isBilled(store: string, { claim, index, id, day, at }: OpenClaim): Promise<boolean> {
    const { hits } = this.parts;
    const place = { index, id };
    for (;;) {
      const there = await hits.read(place);
      if (there && there.source.measure !== VOID) return there.source.claim === claim;
      const nothing = { store, measure: VOID, campaign: '', product: '', placement: '', day, at, issued: at, cost: 0 };
      // Also over what is void already: somebody may be about to write over that.
      if (await hits.put(place, nothing, there)) return false;
    }
  }
}
