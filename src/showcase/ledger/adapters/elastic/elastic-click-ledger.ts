import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { scroll } from '../../../../storage/elastic/scroll';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import {
  ClickLedger,
  type ClickVerdict,
  type Interaction,
  type LedgerEntry,
  type Removal,
  type Spent,
} from '../../click-ledger';
import type { OrderState, OrderStep } from '../../orders';
import { Accounts } from './accounts';
import { KeyedMutex } from '../../../../shared/async/keyed-mutex';
import {
  documentOf,
  FAMILY,
  type InteractionDocument,
  InteractionIndex,
  type Place,
  storedInteraction,
  VOID,
} from './interaction-index';
import { takePlace } from './foreign-places';
import { OrphanedClaims } from './orphaned-claims';
import { OrderRecords } from './order-records';
import { LedgerRemover } from './ledger-remover';
import { LedgerRollups } from './ledger-rollups';
import { ofShopper } from './ledger-requests';
import { type NamedDocument, SHOWCASE, ShowcaseIndex } from './showcase-index';
import type { Rollup } from '../../rollup';

/** An interaction that was taken back by a process that thought its writer dead is begun again. */
const TRIES = 5;

interface Parts {
  hits: InteractionIndex;
  index: ShowcaseIndex;
  clock: Clock;
}

/**
 * The ledger on Elasticsearch: a document for each interaction, whose name is what it counts once by, so that only one writer can make it.
 * Money is claimed in its campaign's account before, and given back where the interaction was somebody else's in the end
 * (docs/adr/0012-money-is-claimed-before-the-click.md).
 */
export class ElasticClickLedger extends ClickLedger {
  private readonly accounts: Accounts;
  private readonly orders: OrderRecords;
  private readonly rollups: LedgerRollups;
  private readonly remover: LedgerRemover;
  private readonly orphanedClaims: OrphanedClaims;
  private readonly oneAtATime = new KeyedMutex();

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly parts: Parts,
  ) {
    super();
    const { hits, index, clock } = parts;
    this.accounts = new Accounts(index);
    this.orders = new OrderRecords(connection, hits, index);
    this.rollups = new LedgerRollups(connection, hits, index);
    this.remover = new LedgerRemover(connection, parts, this.rollups);
    this.orphanedClaims = new OrphanedClaims({ connection, hits, index, accounts: this.accounts, clock });
  }

  static async open(connection: ElasticConnection, clock: Clock): Promise<ElasticClickLedger> {
    await connection.ensureIndex(SHOWCASE, indexDefinition(SHOWCASE));
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    const reads = ReadBatcher.of(connection);
    const hits = new InteractionIndex(connection, reads);
    return new ElasticClickLedger(connection, { hits, index: new ShowcaseIndex(connection, reads), clock });
  }

  override async hit(hit: Interaction): Promise<ClickVerdict> {
    if (hit.verdict !== null) return this.keep(hit, hit.verdict);
    return this.oneAtATime.run(`${hit.store}\n${hit.once}`, () => this.decide(hit));
  }

  override order(step: OrderStep): Promise<OrderState | null> {
    return this.orders.take(step);
  }

  override async spent(query: {
    store: string;
    campaigns: readonly string[];
    day: string;
  }): Promise<Map<string, Spent>> {
    const { store, campaigns, day } = query;
    const accounts = await this.accounts.spent(store, campaigns);
    return new Map(
      campaigns.map((id, at) => [id, { total: accounts[at]?.total ?? 0, today: accounts[at]?.days[day] ?? 0 }]),
    );
  }

  override totals(query: { store: string; from: string; to: string }): Promise<Rollup[]> {
    return this.rollups.of(query);
  }

  override async *entries({ store, shopper }: { store: string; shopper?: ShopperKey }): AsyncGenerator<LedgerEntry[]> {
    const { hits, index } = this.parts;
    const own = shopper ? ofShopper(store, shopper) : { bool: { filter: [{ term: { store } }] } };
    for await (const page of scroll<InteractionDocument>(this.connection, hits.pattern, own)) {
      yield page.flatMap((document): LedgerEntry[] =>
        document.measure === VOID ? [] : [{ type: 'hit', hit: storedInteraction(document) }],
      );
    }
    for await (const page of scroll<NamedDocument>(this.connection, index.index, own)) {
      yield page.flatMap((document): LedgerEntry[] =>
        document.kind === 'order' ? [{ type: 'order', order: JSON.parse(document.body) as OrderState }] : [],
      );
    }
  }

  override remove(removal: Removal): Promise<number> {
    return this.remover.remove(removal);
  }

  override settle(): Promise<number> {
    return this.orphanedClaims.settle();
  }

  /** What counts for nothing, and may repeat. */
  private async keep(hit: Interaction, verdict: ClickVerdict): Promise<ClickVerdict> {
    const { hits } = this.parts;
    await hits.put(hits.placeOf(hit), documentOf(hit, verdict, null));
    return verdict;
  }

  private async decide(hit: Interaction): Promise<ClickVerdict> {
    const { hits, index } = this.parts;
    const place = hits.placeOf(hit, hit.once);
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const there = await hits.read(place);
      if (there && there.source.measure !== VOID) return this.keep(hit, 'duplicate');
      if (hit.foreign !== null && !(await takePlace(index, { ...hit, link: hit.foreign })))
        return this.keep(hit, 'shared');
      const claim = await this.claim(hit, place);
      const verdict = claim === null && hit.charge !== null ? 'over_budget' : 'valid';
      // Where it is not known whether it was written, the claim stays open until somebody has looked.
      const written = await hits.put(place, documentOf(hit, verdict, claim), there);
      if (claim !== null) {
        this.accounts.end(hit.store, hit.campaign, { claim, how: written ? 'settled' : 'released' });
      }
      if (written) return verdict;
    }
    throw unavailable(new Error('A hit was taken back again and again'));
  }

  private async claim({ store, campaign, day, at, charge }: Interaction, place: Place): Promise<string | null> {
    return charge && this.accounts.claim(store, campaign, { ...place, ...charge, day, at });
  }
}
