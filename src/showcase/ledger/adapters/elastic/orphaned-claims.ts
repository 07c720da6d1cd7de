import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import type { OpenClaim } from './account-plan';
import { type Accounts, bodyOf } from './accounts';
import { type InteractionIndex, VOID } from './interaction-index';
import { openAccountsRequest } from './ledger-requests';
import type { NamedDocument, ShowcaseIndex } from './showcase-index';

/** A claim that is open for longer is orphaned: its process died, or never heard whether its click was written. Milliseconds. */
const ORPHANED_AFTER = 60_000;

/** Ends claims that their own processes never ended. */
export class OrphanedClaims {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly interactions: InteractionIndex,
    private readonly index: ShowcaseIndex,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  async settle(): Promise<number> {
    const until = this.clock.now() - ORPHANED_AFTER;
    await this.connection.refresh(this.index.index);
    const { hits } = await this.connection.call(
      (client, options) => client.search<NamedDocument>(openAccountsRequest(this.index.index, until), options),
      LONG_TIMEOUT,
    );
    let settled = 0;
    for (const { _source: account } of hits.hits) {
      if (!account) continue;
      const { store, name } = account;
      for (const open of bodyOf(account).open.filter(({ at }) => at <= until)) {
        const how = (await this.isBilled(store, open)) ? 'settled' : 'released';
        this.accounts.end(store, name, { claim: open.claim, how });
        settled += 1;
      }
    }
    return settled;
  }

  /**
   * Whether the click was written by this claim. Where it was not, it never will be: its location is taken, so that a writer who is
   * only slow finds it so, and begins again.
   */
  private async isBilled(store: string, { claim, index, id, day, at }: OpenClaim): Promise<boolean> {
    const location = { index, id };
    for (;;) {
      const found = await this.interactions.read(location);
      if (found && found.source.measure !== VOID) return found.source.claim === claim;
      const nothing = { store, measure: VOID, campaign: '', product: '', placement: '', day, at, issued: at, cost: 0 };
      // Also where it is void already: a slow writer may be about to write over that.
      if (await this.interactions.put(location, nothing, found)) return false;
    }
  }
}
