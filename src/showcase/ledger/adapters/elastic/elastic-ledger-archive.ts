import {
  type InteractionEntry,
  LedgerArchive,
  type LedgerArchiveEntry,
  type SpendEntry,
  type RollupEntry,
} from '../../ledger-archive';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { scroll } from '../../../../storage/elastic/scroll';
import { stateOf } from '../../../../storage/elastic/index-state';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import type { OrderState } from '../../orders';
import { accountName, bodyOf } from './accounts';
import { FAMILY, type InteractionDocument, InteractionIndex, storedInteraction, VOID } from './interaction-index';
import { type NamedDocument, SHOWCASE, ShowcaseIndex } from './showcase-index';
import { rollupKey, type Rollup } from '../../rollup';

/** The ledger in Elasticsearch. */
export class ElasticLedgerArchive extends LedgerArchive {
  private constructor(
    private readonly connection: ElasticConnection,
    private readonly hits: InteractionIndex,
    private readonly index: ShowcaseIndex,
  ) {
    super();
  }

  static async open(connection: ElasticConnection): Promise<ElasticLedgerArchive> {
    await connection.ensureIndex(SHOWCASE, indexDefinition(SHOWCASE));
    await connection.ensureFamily(FAMILY, indexDefinition(FAMILY));
    const reads = ReadBatcher.apart(connection, LONG_TIMEOUT);
    return new ElasticLedgerArchive(
      connection,
      new InteractionIndex(connection, reads),
      new ShowcaseIndex(connection, reads),
    );
  }

  override async *read(): AsyncGenerator<LedgerArchiveEntry[]> {
    const all = { bool: { must_not: [{ term: { measure: VOID } }] } };
    for await (const page of scroll<InteractionDocument>(this.connection, this.hits.pattern, all))
      yield page.map(interactionEntryOf);
    for (const kind of ['order', 'account', 'rolled'] as const) {
      const query = { bool: { filter: [{ term: { kind } }] } };
      for await (const page of scroll<NamedDocument>(this.connection, this.index.index, query)) {
        yield page.flatMap(entriesOf);
      }
    }
  }

  /** Rollups of a day may come in several parts: what is there already of the day stays. */
  override async restore(entries: readonly LedgerArchiveEntry[]): Promise<void> {
    const rollups = new Map<string, RollupEntry[]>();
    const writes: Promise<unknown>[] = [];
    for (const entry of entries) {
      if (entry.type === 'hit') writes.push(this.restoreInteraction(entry));
      else if (entry.type === 'order') writes.push(this.restoreOrder(entry.order));
      else if (entry.type === 'spend') writes.push(this.restoreSpend(entry));
      else {
        const name = JSON.stringify([entry.store, entry.row.day]);
        rollups.set(name, [...(rollups.get(name) ?? []), entry]);
      }
    }
    for (const own of rollups.values()) writes.push(this.restoreRollups(own));
    await Promise.all(writes);
  }

  override async state(): Promise<string> {
    const states = [
      await stateOf(this.connection, this.hits.pattern),
      await stateOf(this.connection, this.index.index),
    ];
    return states.join('\n');
  }

  private async restoreInteraction({ id, issuedAt, hit }: InteractionEntry): Promise<void> {
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

  private async restoreRollups(entries: readonly RollupEntry[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const { day } = first.row;
    await this.index.change({ kind: 'rolled', store: first.store, name: day }, (found) => {
      const rows = new Map(found ? (JSON.parse(found.body) as Rollup[]).map((row) => [rollupKey(row), row]) : []);
      for (const { row } of entries) rows.set(rollupKey(row), row);
      return { write: { day, body: JSON.stringify([...rows.values()]) }, result: null };
    });
  }
}

function interactionEntryOf(document: InteractionDocument): InteractionEntry {
  const { store, type, verdict, campaign, product, placement, at, day, shopper, cost } = storedInteraction(document);
  // In one order, so that exports of the same are the same text.
  const hit = { store, type, verdict, campaign, product, placement, at, day, shopper, cost };
  return { type: 'hit', id: document.id ?? '', issuedAt: document.issued, hit };
}

function entriesOf(document: NamedDocument): LedgerArchiveEntry[] {
  const { kind, store, name, body } = document;
  if (kind === 'order') return [{ type: 'order', order: JSON.parse(body) as OrderState }];
  if (kind === 'rolled') return (JSON.parse(body) as Rollup[]).map((row) => ({ type: 'sum', store, row }));
  const { total, days } = bodyOf(document);
  return [{ type: 'spend', store, campaign: name, total, days: Object.fromEntries(Object.entries(days).toSorted()) }];
}
