import { Archive } from '../../../../storage/archive';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { stateOf } from '../../../../storage/elastic/index-state';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { scroll } from '../../../../storage/elastic/scroll';
import {
  type InteractionLine,
  interactionLine,
  LEDGER_ENTRIES,
  type LedgerArchiveEntry,
  type RollupLine,
  rollupLine,
  type SpendLine,
  spendLine,
} from '../../ledger-archive';
import type { OrderState } from '../../order-state';
import { type Rollup, rollupKey } from '../../rollup';
import { accountName, bodyOf } from './accounts';
import { documentOf, type InteractionDocument, interactionOf, VOID } from './interaction-index';
import { LedgerIndices, type NamedDocument } from './showcase-index';

/** The ledger in Elasticsearch. */
export class ElasticLedgerArchive extends Archive<LedgerArchiveEntry> {
  override readonly types = LEDGER_ENTRIES;

  private constructor(private readonly indices: LedgerIndices) {
    super();
  }

  static async open(connection: ElasticConnection): Promise<ElasticLedgerArchive> {
    const reads = ReadBatcher.apart(connection, LONG_TIMEOUT);
    return new ElasticLedgerArchive(await LedgerIndices.open(connection, reads));
  }

  override async *read(): AsyncGenerator<LedgerArchiveEntry[]> {
    const { connection, interactions, named } = this.indices;
    const written = { bool: { must_not: [{ term: { measure: VOID } }] } };
    for await (const page of scroll<InteractionDocument>(connection, interactions.pattern, written)) {
      yield page.map((document) => interactionLine(document.id ?? '', document.issued, interactionOf(document)));
    }
    for (const kind of ['order', 'account', 'rolled'] as const) {
      const query = { bool: { filter: [{ term: { kind } }] } };
      for await (const page of scroll<NamedDocument>(connection, named.index, query)) {
        yield page.flatMap(linesOf);
      }
    }
  }

  /** Rollups of one day may come in several parts: those that are there already stay. */
  override async restore(entries: readonly LedgerArchiveEntry[]): Promise<void> {
    const days = new Map<string, RollupLine[]>();
    const writes: Promise<unknown>[] = [];
    for (const entry of entries) {
      if (entry.type === 'hit') writes.push(this.restoreInteraction(entry));
      else if (entry.type === 'order') writes.push(this.restoreOrder(entry.order));
      else if (entry.type === 'spend') writes.push(this.restoreSpend(entry));
      else {
        const name = JSON.stringify([entry.store, entry.row.day]);
        days.set(name, [...(days.get(name) ?? []), entry]);
      }
    }
    for (const lines of days.values()) writes.push(this.restoreRollups(lines));
    await Promise.all(writes);
  }

  override async state(): Promise<string> {
    const { connection, interactions, named } = this.indices;
    const states = [interactions.pattern, named.index].map((index) => stateOf(connection, index));
    return (await Promise.all(states)).join('\n');
  }

  private restoreInteraction({ id, issuedAt, hit }: InteractionLine): Promise<unknown> {
    const { interactions } = this.indices;
    return interactions.put(interactions.locationOf({ store: hit.store, issuedAt }, id), documentOf(hit, { issuedAt }));
  }

  private restoreOrder(order: OrderState): Promise<void> {
    const { store, order: name, day, shopper } = order;
    return this.indices.named.create({ kind: 'order', store, name }, { day, shopper, body: JSON.stringify(order) });
  }

  private restoreSpend({ store, campaign, total, days }: SpendLine): Promise<null> {
    const body = JSON.stringify({ total, days, open: [] });
    return this.indices.named.change(accountName(store, campaign), () => ({ write: { since: 0, body }, result: null }));
  }

  private async restoreRollups(lines: readonly RollupLine[]): Promise<void> {
    const [first] = lines;
    if (!first) return;
    const { day } = first.row;
    await this.indices.named.change({ kind: 'rolled', store: first.store, name: day }, (found) => {
      const known = found ? (JSON.parse(found.body) as Rollup[]) : [];
      const rows = new Map([...known, ...lines.map(({ row }) => row)].map((row) => [rollupKey(row), row]));
      return { write: { day, body: JSON.stringify([...rows.values()]) }, result: null };
    });
  }
}

function linesOf(document: NamedDocument): LedgerArchiveEntry[] {
  const { kind, store, name, body } = document;
  if (kind === 'order') return [{ type: 'order', order: JSON.parse(body) as OrderState }];
  if (kind === 'rolled') return (JSON.parse(body) as Rollup[]).map((row) => rollupLine(store, row));
  return [spendLine(store, name, bodyOf(document))];
}
