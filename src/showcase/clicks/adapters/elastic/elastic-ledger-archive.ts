import {
  type HitEntry,
  LedgerArchive,
  type LedgerArchiveEntry,
  type SpendEntry,
  type SumEntry,
} from '../../../../archive/archive';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic';
import { indexDefinition } from '../../../../storage/elastic-definitions';
import { scroll } from '../../../../storage/elastic-scroll';
import { stateOf } from '../../../../storage/elastic-state';
import { ReadGatherer } from '../../../../storage/read-gatherer';
import { nameOfMeasure } from '../../../metrics/measures';
import type { Measure } from '../../click-ledger';
import type { OrderState } from '../../orders';
import { accountName, bodyOf } from './accounts';
import { FAMILY, type HitDocument, HitIndex, storedHit, VOID } from './hit-index';
import { type NamedDocument, SHOWCASE, ShowcaseIndex } from './showcase-index';

/** The ledger in Elasticsearch. */
export class ElasticLedgerArchive extends LedgerArchive {
  private constructor(
    private readonly connection: ElasticConnection,
    private readonly hits: HitIndex,
    private readonly index: ShowcaseIndex,
  ) {
    super();
  }

  static async open(connection: ElasticConnection): Promise<ElasticLedgerArchive> {
    await connection.ensureIndex(SHOWCASE, indexDefinition(SHOWCASE));
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    const reads = ReadGatherer.apart(connection, LONG_TIMEOUT);
    return new ElasticLedgerArchive(connection, new HitIndex(connection, reads), new ShowcaseIndex(connection, reads));
  }

  override async *read(): AsyncGenerator<LedgerArchiveEntry[]> {
    const all = { bool: { must_not: [{ term: { measure: VOID } }] } };
    for await (const page of scroll<HitDocument>(this.connection, this.hits.pattern, all)) yield page.map(hitEntryOf);
    for (const kind of ['order', 'account', 'rolled'] as const) {
      const query = { bool: { filter: [{ term: { kind } }] } };
      for await (const page of scroll<NamedDocument>(this.connection, this.index.index, query)) {
        yield page.flatMap(entriesOf);
      }
    }
  }

  /** Sums of a day may come in several parts: what is there already of the day stays. */
  override async restore(entries: readonly LedgerArchiveEntry[]): Promise<void> {
    const sums = new Map<string, SumEntry[]>();
    const writes: Promise<unknown>[] = [];
    for (const entry of entries) {
      if (entry.type === 'hit') writes.push(this.restoreHit(entry));
      else if (entry.type === 'order') writes.push(this.restoreOrder(entry.order));
      else if (entry.type === 'spend') writes.push(this.restoreSpend(entry));
      else {
        const name = JSON.stringify([entry.store, entry.row.day]);
        sums.set(name, [...(sums.get(name) ?? []), entry]);
      }
    }
    for (const own of sums.values()) writes.push(this.restoreSums(own));
    await Promise.all(writes);
  }

  override async state(): Promise<string> {
    const states = [
      await stateOf(this.connection, this.hits.pattern),
      await stateOf(this.connection, this.index.index),
    ];
    return states.join('\n');
  }

  private async restoreHit({ id, issuedAt, hit }: HitEntry): Promise<void> {
    const { type, verdict, shopper, ...rest } = hit;
    const place = this.hits.placeOf({ store: hit.store, issuedAt }, id);
    const document = {
      ...rest,
      measure: `${type}/${verdict}`,
      issued: issuedAt,
      ...(shopper === null ? {} : { shopper }),
    };
    await this.hits.put(place, document);
  }

  private async restoreOrder(order: OrderState): Promise<void> {
    const { store, order: name, day, shopper } = order;
    const write = { day, shopper, body: JSON.stringify(order) };
    await this.index.change({ kind: 'order', store, name }, (found) => ({ write: found ? null : write, result: null }));
  }

  private async restoreSpend({ store, campaign, total, days }: SpendEntry): Promise<void> {
    const body = JSON.stringify({ total, days, open: [] });
    await this.index.change(accountName(store, campaign), () => ({ write: { since: 0, body }, result: null }));
  }

  private async restoreSums(entries: readonly SumEntry[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const { day } = first.row;
    await this.index.change({ kind: 'rolled', store: first.store, name: day }, (found) => {
      const rows = new Map(found ? (JSON.parse(found.body) as Measure[]).map((row) => [nameOfMeasure(row), row]) : []);
      for (const { row } of entries) rows.set(nameOfMeasure(row), row);
      return { write: { day, body: JSON.stringify([...rows.values()]) }, result: null };
    });
  }
}

function hitEntryOf(document: HitDocument): HitEntry {
  const { store, type, verdict, campaign, product, placement, at, day, shopper, cost } = storedHit(document);
  // In one order, so that exports of the same are the same text.
  const hit = { store, type, verdict, campaign, product, placement, at, day, shopper, cost };
  return { type: 'hit', id: document.id ?? '', issuedAt: document.issued, hit };
}

function entriesOf(document: NamedDocument): LedgerArchiveEntry[] {
  const { kind, store, name, body } = document;
  if (kind === 'order') return [{ type: 'order', order: JSON.parse(body) as OrderState }];
  if (kind === 'rolled') return (JSON.parse(body) as Measure[]).map((row) => ({ type: 'sum', store, row }));
  const { total, days } = bodyOf(document);
  return [{ type: 'spend', store, campaign: name, total, days: Object.fromEntries(Object.entries(days).toSorted()) }];
}
