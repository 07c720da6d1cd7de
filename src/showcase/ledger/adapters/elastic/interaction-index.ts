import { randomUUID } from 'node:crypto';
import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import { assertTaken, BulkBatcher, type BulkItem, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, errorType, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import type { Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { Coalesced } from '../../../../shared/async/coalesced';
import type { ClickVerdict, Interaction, StoredInteraction } from '../../click-ledger';

/** An interaction as stored. */
export interface InteractionDocument {
  store: string;
  /** `click/valid`; `void`: what never became an interaction, and never will. */
  measure: string;
  campaign: string;
  product: string;
  placement: string;
  day: string;
  at: number;
  /** When its link was handed out. */
  issued: number;
  /** Its name in its store; written with it. */
  id?: string;
  shopper?: string;
  cost: number;
  /** The claim it was billed by. */
  claim?: string;
}

/** Where an interaction is to stand: the month of its link's issue, so that it is the same place whenever it comes. */
export interface Place {
  /** Full name. */
  index: string;
  id: string;
}

export const FAMILY = 'clicks';
/** Milliseconds. */
const REFRESH_TIMEOUT = 5000;
/** The indices that interactions are in, one for each month. */
export class InteractionIndex {
  /** Every one of them. */
  readonly pattern: string;
  private readonly bulk: BulkBatcher;
  private readonly refreshing: Coalesced<void>;

  constructor(
    readonly connection: ElasticConnection,
    private readonly reads: ReadBatcher,
  ) {
    this.pattern = connection.index(`${FAMILY}-*`);
    this.refreshing = new Coalesced(() => connection.refresh(this.pattern, REFRESH_TIMEOUT));
    this.bulk = new BulkBatcher(connection);
  }

  /** `id` absent: one that nothing else has. */
  placeOf({ store, issuedAt }: Pick<Interaction, 'store' | 'issuedAt'>, id: string = randomUUID()): Place {
    const month = new Date(issuedAt).toISOString().slice(0, 7);
    return { index: this.connection.index(`${FAMILY}-${month}`), id: `${store}-${id}` };
  }

  async read({ index, id }: Place): Promise<Found<InteractionDocument> | null> {
    const [found = null] = await this.reads.readAll([{ _index: index, _id: id }]);
    return found as Found<InteractionDocument> | null;
  }

  /** Whether it is there now; false where something else is, or `over` is not as it was any more. */
  async put(
    place: Place,
    document: InteractionDocument,
    over: Found<InteractionDocument> | null = null,
  ): Promise<boolean> {
    const id = place.id.slice(document.store.length + 1);
    const target = { ...place, document: JSON.stringify({ ...document, id }) };
    const operation: BulkOperation = over
      ? { type: 'index', ...target, expected: { seqNo: over.seqNo, primaryTerm: over.primaryTerm } }
      : { type: 'create', ...target };
    let [item] = await this.bulk.write([operation]);
    if (item?.errorType === 'index_not_found_exception') {
      // Where the cluster does not make indices by itself.
      await this.makeIndex(place.index);
      [item] = await this.bulk.write([operation]);
    }
    if (!item) return false;
    assertTaken([item]);
    return item.status < 300;
  }

  async write(operations: readonly BulkOperation[]): Promise<BulkItem[]> {
    const items = await this.bulk.write(operations);
    assertTaken(items);
    return items;
  }

  /** Makes every interaction that was acknowledged until now visible to searches. Callers at the same time share it. */
  refresh(): Promise<void> {
    return this.refreshing.run();
  }

  private async makeIndex(index: string): Promise<void> {
    try {
      await this.connection.call((client, options) => client.indices.create({ index }, options), LONG_TIMEOUT);
    } catch (error) {
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
    }
  }
}

export const VOID = 'void';

export function documentOf(hit: Interaction, verdict: ClickVerdict, claim: string | null): InteractionDocument {
  const { store, type, campaign, product, placement, day, at, issuedAt: issued, shopper, charge } = hit;
  return {
    store,
    measure: `${type}/${verdict}`,
    campaign,
    product,
    placement,
    day,
    at,
    issued,
    ...(shopper === null ? {} : { shopper }),
    cost: verdict === 'valid' ? (charge?.cost ?? 0) : 0,
    ...(claim === null ? {} : { claim }),
  };
}

export function storedInteraction({
  measure,
  shopper,
  claim: _claim,
  issued: _issued,
  id: _id,
  ...rest
}: InteractionDocument): StoredInteraction {
  const [type, verdict] = measure.split('/') as [StoredInteraction['type'], ClickVerdict];
  return { ...rest, type, verdict, shopper: (shopper ?? null) as ShopperKey | null };
}
