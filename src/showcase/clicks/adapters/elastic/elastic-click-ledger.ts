import type { ShopperKey } from '../../../../behaviour/shopper';
import type { Clock } from '../../../../clock';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic';
import { indexDefinition } from '../../../../storage/elastic-definitions';
import { scroll } from '../../../../storage/elastic-scroll';
import { ReadGatherer } from '../../../../storage/read-gatherer';
import {
  ClickLedger,
  type ClickVerdict,
  type Hit,
  type LedgerEntry,
  type Measure,
  type Removal,
  type Spent,
} from '../../click-ledger';
import type { OrderState, OrderStep } from '../../orders';
import { Accounts } from './accounts';
import { ByKey } from './by-key';
import { documentOf, FAMILY, type HitDocument, HitIndex, type Place, storedHit, VOID } from './hit-index';
import { takePlace } from './foreign-places';
import { Leftovers } from './leftovers';
import { OrderRecords } from './order-records';
import { LedgerRemover } from './ledger-remover';
import { LedgerSums } from './ledger-sums';
import { ofShopper } from './ledger-requests';
import { type NamedDocument, SHOWCASE, ShowcaseIndex } from './showcase-index';

/** A hit that was taken back by a process that thought its writer dead is begun again. */
const TRIES = 5;

interface Parts {
  hits: HitIndex;
  index: ShowcaseIndex;
  clock: Clock;
}

/**
 * The ledger on Elasticsearch: a document for each hit, whose name is what it counts once by, so that only one writer can make it.
 * Money is claimed in its campaign's account before, and given back where the hit was somebody else's in the end
 * (docs/adr/0012-money-is-claimed-before-the-click.md).
 */
export class ElasticClickLedger extends ClickLedger {
  private readonly accounts: Accounts;
  private readonly orders: OrderRecords;
  private readonly sums: LedgerSums;
  private readonly remover: LedgerRemover;
  private readonly leftovers: Leftovers;
  private readonly oneAtATime = new ByKey();

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly parts: Parts,
  ) {
    super();
    const { hits, index, clock } = parts;
    this.accounts = new Accounts(index);
    this.orders = new OrderRecords(connection, hits, index);
    this.sums = new LedgerSums(connection, hits, index);
    this.remover = new LedgerRemover(connection, parts, this.sums);
    this.leftovers = new Leftovers({ connection, hits, index, accounts: this.accounts, clock });
  }

  static async open(connection: ElasticConnection, clock: Clock): Promise<ElasticClickLedger> {
    await connection.ensureIndex(SHOWCASE, indexDefinition(SHOWCASE));
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    const reads = ReadGatherer.of(connection);
    const hits = new HitIndex(connection, reads);
    return new ElasticClickLedger(connection, { hits, index: new ShowcaseIndex(connection, reads), clock });
  }

  override async hit(hit: Hit): Promise<ClickVerdict> {
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

  override totals(query: { store: string; from: string; to: string }): Promise<Measure[]> {
    return this.sums.of(query);
  }

  override async *entries({ store, shopper }: { store: string; shopper?: ShopperKey }): AsyncGenerator<LedgerEntry[]> {
    const { hits, index } = this.parts;
    const own = shopper ? ofShopper(store, shopper) : { bool: { filter: [{ term: { store } }] } };
    for await (const page of scroll<HitDocument>(this.connection, hits.pattern, own)) {
      yield page.flatMap((document): LedgerEntry[] =>
        document.measure === VOID ? [] : [{ type: 'hit', hit: storedHit(document) }],
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
    return this.leftovers.settle();
  }

  /** What counts for nothing, and may repeat. */
  private async keep(hit: Hit, verdict: ClickVerdict): Promise<ClickVerdict> {
    const { hits } = this.parts;
    await hits.put(hits.placeOf(hit), documentOf(hit, verdict, null));
    return verdict;
  }

  private async decide(hit: Hit): Promise<ClickVerdict> {
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

  private async claim({ store, campaign, day, at, charge }: Hit, place: Place): Promise<string | null> {
    return charge && this.accounts.claim(store, campaign, { ...place, ...charge, day, at });
  }
}
