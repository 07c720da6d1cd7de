import { assertTaken, BulkBatcher, type BulkItem, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { cached } from '../../../../shared/async/single-flight';
import { type Found, ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { type EventDocument, type EventLocation, FAMILY, targetOf } from './event-document';
import { PAGE, pageRequest } from './event-requests';

/** A stored event, where it is and in which state. */
export interface FoundEvent extends Found<EventDocument> {
  /** Full name. */
  index: string;
  id: string;
}

type Filter = Parameters<typeof pageRequest>[1]['filter'];

/** Milliseconds that reading the log may take. */
export const PATIENCE = 5000;

/** The indices that events are in. */
export class EventIndex {
  /** Every one of them. */
  readonly pattern: string;
  private readonly creating = new Map<string, Promise<void>>();

  constructor(
    readonly connection: ElasticConnection,
    private readonly bulk = new BulkBatcher(connection),
    private readonly reads = ReadBatcher.of(connection),
  ) {
    this.pattern = connection.index(`${FAMILY}-*`);
  }

  /** Makes every event that was written until now visible to searches. */
  refresh(): Promise<void> {
    return this.connection.refresh(this.pattern, PATIENCE);
  }

  /** As searches see them; `refresh` first to see all. */
  async page(filter: Filter, { after, size = PAGE }: { after: number; size?: number }): Promise<FoundEvent[]> {
    const request = pageRequest(this.pattern, { filter, after, size });
    const { hits } = await this.connection.search<EventDocument>(request, PATIENCE);
    return hits.hits.flatMap(({ _index, _id, _source, _seq_no = 0, _primary_term = 0 }) =>
      _source && _id !== undefined
        ? [{ index: _index, id: _id, source: _source, seqNo: _seq_no, primaryTerm: _primary_term }]
        : [],
    );
  }

  /** The first of them, the newest too. */
  async first(filter: Filter, { after, limit }: { after: number; limit: number }): Promise<EventDocument[]> {
    const first: EventDocument[] = [];
    for await (const page of this.pages(filter, after)) {
      first.push(...page.map(({ source }) => source));
      if (first.length >= limit) break;
    }
    return first.slice(0, limit);
  }

  /** Page by page up to the end, the newest events too. */
  async *pages(filter: Filter, from = 0): AsyncGenerator<FoundEvent[]> {
    await this.refresh();
    for (let after = from; ;) {
      const page = await this.page(filter, { after });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.source.seq ?? after;
    }
  }

  /** Those of the locations where an event is. */
  async stored(locations: readonly EventLocation[]): Promise<Set<EventLocation>> {
    const found = await this.readAll(locations);
    return new Set(locations.filter((_location, index) => found[index]));
  }

  /** The events at these locations, where there are any. */
  async read(locations: readonly EventLocation[]): Promise<FoundEvent[]> {
    const found = await this.readAll(locations);
    return locations.flatMap((location, index) => {
      const one = found[index];
      return one ? [{ ...this.target(location), ...one }] : [];
    });
  }

  create(location: EventLocation, document: EventDocument): BulkOperation {
    return { type: 'create', ...this.target(location), document: JSON.stringify(document) };
  }

  deletion(location: EventLocation): BulkOperation {
    return { type: 'delete', ...this.target(location) };
  }

  /** Durable when it resolves; items with status 409: another writer was first. */
  async write(operations: readonly BulkOperation[]): Promise<BulkItem[]> {
    const creates = operations.filter(({ type }) => type === 'create');
    await this.makeIndices(creates);
    let items = await this.bulk.write(operations);
    const isMissing = (item: BulkItem | undefined): boolean => item?.errorType === 'index_not_found_exception';
    const missing = operations.filter(({ type }, index) => type === 'create' && isMissing(items[index]));
    if (missing.length > 0) {
      for (const { index } of missing) this.connection.forgetMember(index);
      await this.makeIndices(missing);
      const again = await this.bulk.write(missing);
      items = items.map((item, index) => again[missing.indexOf(operations[index] as BulkOperation)] ?? item);
    }
    assertTaken(items);
    return items;
  }

  private async readAll(locations: readonly EventLocation[]): Promise<(Found<EventDocument> | null)[]> {
    const targets = locations.map((location) => this.target(location));
    const asked = targets.map(({ index: _index, id: _id }) => ({ _index, _id }));
    const found = await this.reads.readAll(asked).catch(async (error: unknown) => {
      // An index that is just being made has nothing to read from.
      if (this.creating.size === 0) throw error;
      await Promise.all(this.creating.values());
      return this.reads.readAll(asked);
    });
    return found as (Found<EventDocument> | null)[];
  }

  private target(location: EventLocation): { index: string; id: string } {
    const { index, id } = targetOf(location);
    return { index: this.connection.index(index), id };
  }

  /** Before anything is written to them: the cluster would make them by itself, in its own way where the template is gone. */
  private async makeIndices(operations: readonly BulkOperation[]): Promise<void> {
    const indices = new Set(operations.map(({ index }) => index));
    await Promise.all(
      Array.from(indices, (index) =>
        cached(this.creating, index, () =>
          this.connection.ensureMember(index).finally(() => this.creating.delete(index)),
        ),
      ),
    );
  }
}

/** Writes over an event in the state it was found in. */
export function writeOver({ index, id, seqNo, primaryTerm }: FoundEvent, document: EventDocument): BulkOperation {
  return { type: 'index', index, id, expected: { seqNo, primaryTerm }, document: JSON.stringify(document) };
}
