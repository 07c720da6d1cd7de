import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import { KeyedMutex } from '../../../../shared/async/keyed-mutex';
import { retryOnConflict } from '../../../../shared/async/retry';
import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { scroll } from '../../../../storage/elastic/scroll';
import {
  ClickLedger,
  type ClickVerdict,
  type Interaction,
  type LedgerDays,
  type LedgerEntry,
  LINK_SLOTS,
  type Removal,
  type Spent,
} from '../../click-ledger';
import { storedInteraction } from '../../ledger-rules';
import type { OrderState } from '../../order-state';
import type { OrderStep } from '../../orders';
import type { Rollup } from '../../rollup';
import { Accounts } from './accounts';
import {
  documentOf,
  type InteractionDocument,
  type InteractionIndex,
  type InteractionLocation,
  interactionOf,
  VOID,
} from './interaction-index';
import { ofShopper } from './ledger-requests';
import { allRollups } from './ledger-rollups';
import { takeStep } from './order-steps';
import { settleOrphanedClaims } from './orphaned-claims';
import { removeEntries } from './remove-entries';
import { LedgerIndices, type NamedDocument } from './showcase-index';

/** For an interaction that another process voids meanwhile because it takes this one for dead. */
const ATTEMPTS = 5;

/**
 * The ledger on Elasticsearch: a document for each interaction, whose name is its idempotency key, so that only one writer can make it.
 * Money is claimed in its campaign's account before, and given back where the interaction was somebody else's in the end
 * (docs/adr/0012-money-is-claimed-before-the-click.md).
 */
export class ElasticClickLedger extends ClickLedger {
  private readonly accounts: Accounts;
  private readonly interactions: InteractionIndex;
  private readonly oneAtATime = new KeyedMutex();

  private constructor(
    private readonly indices: LedgerIndices,
    private readonly clock: Clock,
  ) {
    super();
    this.accounts = new Accounts(indices.named);
    this.interactions = indices.interactions;
  }

  static async open(connection: ElasticConnection, clock: Clock): Promise<ElasticClickLedger> {
    return new ElasticClickLedger(await LedgerIndices.open(connection, ReadBatcher.of(connection)), clock);
  }

  override async record(interaction: Interaction): Promise<ClickVerdict> {
    const { store, idempotencyKey, verdict } = interaction;
    if (verdict !== null) return this.keep(interaction, verdict);
    return this.oneAtATime.run(`${store}\n${idempotencyKey}`, () => this.decide(interaction));
  }

  override order(step: OrderStep): Promise<OrderState | null> {
    return takeStep(this.indices, step);
  }

  override async spent(store: string, campaigns: readonly string[], day: string): Promise<Map<string, Spent>> {
    const accounts = await this.accounts.spent(store, campaigns);
    return new Map(Array.from(accounts, ([id, { total, days }]) => [id, { total, today: days[day] ?? 0 }]));
  }

  override rollups(days: LedgerDays): Promise<Rollup[]> {
    return allRollups(this.indices, days);
  }

  override async *entries(store: string, shopper?: ShopperKey): AsyncGenerator<LedgerEntry[]> {
    const { connection, interactions, named } = this.indices;
    const own = shopper ? ofShopper(store, shopper) : { bool: { filter: [{ term: { store } }] } };
    for await (const page of scroll<InteractionDocument>(connection, interactions.pattern, own)) {
      yield page.flatMap((document): LedgerEntry[] =>
        document.measure === VOID ? [] : [{ type: 'interaction', interaction: interactionOf(document) }],
      );
    }
    for await (const page of scroll<NamedDocument>(connection, named.index, own)) {
      yield page.flatMap((document): LedgerEntry[] =>
        document.kind === 'order' ? [{ type: 'order', order: JSON.parse(document.body) as OrderState }] : [],
      );
    }
  }

  override remove(removal: Removal): Promise<number> {
    return removeEntries(this.indices, removal);
  }

  override settleOrphanedClaims(): Promise<number> {
    return settleOrphanedClaims(this.indices, this.accounts, this.clock.now());
  }

  /** Keeps an interaction that does not count and may repeat. */
  private async keep(interaction: Interaction, verdict: ClickVerdict): Promise<ClickVerdict> {
    const document = documentOf(storedInteraction(interaction, verdict), interaction);
    await this.interactions.put(this.interactions.locationOf(interaction), document);
    return verdict;
  }

  private decide(interaction: Interaction): Promise<ClickVerdict> {
    const location = this.interactions.locationOf(interaction, interaction.idempotencyKey);
    const exhausted = (): Error => unavailable(new Error('An interaction was taken back again and again'));
    return retryOnConflict(() => this.tryToDecide(interaction, location), { times: ATTEMPTS, exhausted });
  }

  /** Null where another process was faster. */
  private async tryToDecide(interaction: Interaction, location: InteractionLocation): Promise<ClickVerdict | null> {
    const { store, campaign, day, at, issuedAt, sharedLink, charge } = interaction;
    const found = await this.interactions.read(location);
    if (found && found.source.measure !== VOID) return this.keep(interaction, 'duplicate');
    if (sharedLink !== null && !(await this.takeSlot(sharedLink, interaction))) {
      return this.keep(interaction, 'shared');
    }
    const claim = charge && (await this.accounts.claim(store, campaign, { ...location, ...charge, day, at }));
    const verdict = charge !== null && claim === null ? 'over_budget' : 'valid';
    const document = documentOf(storedInteraction(interaction, verdict), { issuedAt, claim });
    // Where this throws, the click may be written or not: `settleOrphanedClaims` finds out, and the claim stays open until then.
    const written = await this.interactions.put(location, document, found);
    if (claim !== null) this.accounts.end(store, campaign, claim, written ? 'settled' : 'released');
    return written ? verdict : null;
  }

  /** Takes one of the slots that a link has for clicks of others; false where none is left. Taking it again is harmless. */
  private takeSlot(link: string, { store, idempotencyKey, day }: Interaction): Promise<boolean> {
    return this.indices.named.change({ kind: 'foreign', store, name: link }, (found) => {
      const clicks = found ? (JSON.parse(found.body) as string[]) : [];
      if (clicks.includes(idempotencyKey)) return { write: null, result: true };
      if (clicks.length >= LINK_SLOTS) return { write: null, result: false };
      return { write: { day, body: JSON.stringify([...clicks, idempotencyKey]) }, result: true };
    });
  }
}
