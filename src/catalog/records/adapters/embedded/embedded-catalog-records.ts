import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { type Calls, callUntilNone } from '../../../../storage/sqlite/writer-commands';
import {
  type CatalogRecord,
  CatalogRecords,
  type RecordWrite,
  type ScanOptions,
  type Settled,
  type WrittenRecords,
} from '../../catalog-records';
import { toRecord } from '../../record-versions';
import type { ProductFeatures } from '../../../../ranking/vectors/features';
import { KeptFeatures } from '../../kept-features';
import type { Sent } from '../../../product/product';
import { channelsNamedBy } from '../../../product/channel-view';
import type { commands } from './catalog-records.commands';
import { COLUMNS, type RecordRow, recordRow } from './record-rows';
import type { Body } from './write-records';

const REMOVED_AT_ONCE = 200;

const parse = (body: string): Sent => JSON.parse(body) as Sent;
const reader = { parse, text: (body: string) => body };

/** Records in the embedded database: bodies are JSON text; reads are short or paged, and stay on the main thread. */
export class EmbeddedCatalogRecords extends CatalogRecords {
  private readonly call: Calls<typeof commands>;
  private readonly kept = new KeptFeatures();

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async write(store: string, writes: RecordWrite[]): Promise<WrittenRecords> {
    const rows = writes.map(({ productId, sent, ...write }) => ({
      ...write,
      product: productId,
      sent: sent === null ? null : JSON.stringify(sent),
      names: channelsNamedBy(sent),
    }));
    const { products, versions } = await this.call('catalog.write', { store, writes: rows });
    const ids = [...new Set(writes.map(({ productId }) => productId))];
    const written = {
      parse: (body: Body) => (typeof body === 'string' ? parse(body) : (writes[body]?.sent ?? {})),
      text: (body: Body) => (typeof body === 'string' ? body : (rows[body]?.sent ?? '{}')),
    };
    const records = products.map((product, index) => toRecord(ids[index] ?? '', product, written));
    return { records, versions };
  }

  override async read(store: string, productIds: string[]): Promise<(CatalogRecord | null)[]> {
    // One statement for a page of products takes less than half the time of one for each. CROSS JOIN keeps the order.
    const rows = this.database.reader.all(
      `SELECT ${COLUMNS} FROM json_each(?) AS asked CROSS JOIN catalog_record ON store = ? AND product = asked.value`,
      JSON.stringify([...new Set(productIds)]),
      store,
    );
    const byProduct = new Map<string, RecordRow[]>();
    for (const row of rows.map(recordRow)) byProduct.set(row.product, [...(byProduct.get(row.product) ?? []), row]);
    return productIds.map((productId) => {
      const own = byProduct.get(productId);
      return own ? toRecord(productId, own, reader) : null;
    });
  }

  /** Indexed products need no note here: the versions of a store are indexed in their order. */
  override async settle(store: string, { features = [] }: Settled): Promise<void> {
    const rows = features.map(({ features: one }): [string, string] => [one.id, JSON.stringify(one)]);
    if (rows.length === 0) return;
    await this.call('catalog.saveFeatures', { store, rows });
    for (const [productId] of rows) this.kept.forget(store, productId);
  }

  override features(store: string, productIds: string[]): Promise<Map<string, ProductFeatures>> {
    const sql = 'SELECT features FROM catalog_features WHERE store = ? AND product = ?';
    return this.kept.read(store, productIds, (missing) =>
      missing.flatMap((productId) => {
        const row = this.database.reader.one(sql, store, productId);
        return row ? [JSON.parse(String(row[0])) as ProductFeatures] : [];
      }),
    );
  }

  override async scan(store: string, { after = '', newerThan, limit }: ScanOptions): Promise<CatalogRecord[]> {
    // The index of versions is named: by the one of products, a start would walk through the whole catalog to find nothing newer.
    const hint = newerThan === undefined ? '' : 'INDEXED BY catalog_record_version';
    const ids = this.database.reader.all(
      `SELECT DISTINCT product FROM catalog_record ${hint}
       WHERE store = ? AND product > ? ${newerThan === undefined ? '' : 'AND version > ?'} ORDER BY product LIMIT ?`,
      ...[store, after, newerThan ?? [], limit].flat(),
    );
    const records = await this.read(store, ids.flat().map(String));
    return records.filter((record) => record !== null);
  }

  override async newest(store: string): Promise<number> {
    const sql = 'SELECT MAX(version) FROM catalog_record INDEXED BY catalog_record_version WHERE store = ?';
    return Number(this.database.reader.one(sql, store)?.[0] ?? 0);
  }

  override async countNewer(store: string, version: number): Promise<number> {
    const sql = `SELECT COUNT(DISTINCT product) FROM catalog_record INDEXED BY catalog_record_version
      WHERE store = ? AND version > ?`;
    return Number(this.database.reader.one(sql, store, version)?.[0] ?? 0);
  }

  override async channels(store: string): Promise<string[]> {
    const channels: string[] = [];
    // Jumps from one name to the next in the index: a store has few channels and many products.
    for (let last = ''; ;) {
      const sql = 'SELECT MIN(channel) FROM catalog_channel WHERE store = ? AND channel > ?';
      const next = this.database.reader.one(sql, store, last)?.[0];
      if (typeof next !== 'string') return channels;
      channels.push(next);
      last = next;
    }
  }

  override async removeStore(store: string): Promise<number> {
    const removed = await callUntilNone(() => this.call('catalog.removeSome', { store, products: REMOVED_AT_ONCE }));
    this.kept.clear();
    return removed;
  }
}
