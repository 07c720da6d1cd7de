import { randomUUID } from 'node:crypto';
import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import { assertTaken, BulkBatcher, type BulkItem, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import type { Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { writeOver } from '../../../../storage/elastic/write-over';
import type { ClickVerdict, Interaction, InvalidReason, StoredInteraction } from '../../click-ledger';
import { measureOf } from '../../ledger-rules';

/** An interaction as stored. */
export interface InteractionDocument {
  store: string;
  /** `click/valid`, or `VOID`. */
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
  address?: string;
  agent?: string;
  request?: string;
  unrated?: true;
  /** Of a credited one: its account has not been told yet, as far as is known. */
  credit?: 'open';
  /** The claim it was billed by. */
  claim?: string;
}

/** Where an interaction is stored: by the month its link was handed out in, so that a repeat has the same location. */
export type InteractionLocation = Pick<BulkOperation, 'index' | 'id'>;

export const FAMILY = 'clicks';
const REFRESH_TIMEOUT = 5000;
/** The measure of a document that keeps a slow writer from writing an interaction whose claim was released. */
export const VOID = 'void';

/** The indices that interactions are in, one for each month. */
export class InteractionIndex {
  /** Every one of them. */
  readonly pattern: string;
  private readonly bulk: BulkBatcher;

  constructor(
    private readonly connection: ElasticConnection,
    private readonly reads: ReadBatcher,
  ) {
    this.pattern = connection.index(`${FAMILY}-*`);
    this.bulk = new BulkBatcher(connection);
  }

  /** `id` absent: one that nothing else has. */
  locationOf(
    { store, issuedAt }: Pick<Interaction, 'store' | 'issuedAt'>,
    id: string = randomUUID(),
  ): InteractionLocation {
    const month = new Date(issuedAt).toISOString().slice(0, 7);
    return { index: this.connection.index(`${FAMILY}-${month}`), id: `${store}-${id}` };
  }

  async read(location: InteractionLocation): Promise<Found<InteractionDocument> | null> {
    const [found = null] = await this.readAll([location]);
    return found;
  }

  /** In the order asked; null where there is none. */
  async readAll(locations: readonly InteractionLocation[]): Promise<(Found<InteractionDocument> | null)[]> {
    const found = await this.reads.readAll(locations.map(({ index, id }) => ({ _index: index, _id: id })));
    return found as (Found<InteractionDocument> | null)[];
  }

  /** Writes where there is nothing yet, or over the state `over`. False where another document is there. */
  async put(
    location: InteractionLocation,
    document: InteractionDocument,
    over: Found<InteractionDocument> | null = null,
  ): Promise<boolean> {
    const id = location.id.slice(document.store.length + 1);
    const operation = writeOver(location, { ...document, id }, over);
    // The cluster would make it by itself, in its own way where the template is gone.
    await this.connection.ensureMember(location.index);
    let [item] = await this.bulk.write([operation]);
    if (item?.errorType === 'index_not_found_exception') {
      this.connection.forgetMember(location.index);
      await this.connection.ensureMember(location.index);
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

  /** Makes every interaction that was acknowledged until now visible to searches. */
  refresh(): Promise<void> {
    return this.connection.refresh(this.pattern, REFRESH_TIMEOUT);
  }
}

export function documentOf(
  { type, verdict, reason, shopper, ...rest }: StoredInteraction,
  { issuedAt, claim }: { issuedAt: number; claim?: string | null },
): InteractionDocument {
  return {
    ...rest,
    measure: measureOf({ type, verdict, ...(reason ? { reason } : {}) }),
    issued: issuedAt,
    ...(shopper === null ? {} : { shopper }),
    ...(claim ? { claim } : {}),
  };
}

export function interactionOf(document: InteractionDocument): StoredInteraction {
  const { measure, shopper, claim: _claim, issued: _issued, id: _id, credit: _credit, ...rest } = document;
  const [type, verdict, reason] = measure.split('/') as [StoredInteraction['type'], ClickVerdict, InvalidReason?];
  return { ...rest, type, verdict, shopper: (shopper ?? null) as ShopperKey | null, ...(reason ? { reason } : {}) };
}
