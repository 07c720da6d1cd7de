import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScratch, type SqlRow, Statements } from '../../../storage/sqlite/sqlite';
import type { FeedRow } from '../formats/feed-format';
import type { FeedItem } from '../items/feed-item';

/** An item as it was read, and where. */
export interface PlacedItem {
  line: number;
  grouped: boolean;
  /** `fields` as JSON text. */
  text: string;
  readonly fields: FeedRow;
}

/** The items of one product (in one sales channel), in the order of the feed. `number`: from 1, in the order of first appearance. */
export interface FeedProduct {
  number: number;
  productId: string;
  channel: string | null;
  items: PlacedItem[];
}

/** Longer than any import goes on without writing, in milliseconds. */
const LEFT_AFTER = 86_400_000;

const TABLES = `
  CREATE TABLE product (number INTEGER PRIMARY KEY, id TEXT NOT NULL, channel TEXT NOT NULL, UNIQUE (id, channel));
  CREATE TABLE item (product INTEGER, serial INTEGER, line INTEGER, grouped INTEGER, fields TEXT,
    PRIMARY KEY (product, serial)) WITHOUT ROWID;
  CREATE TABLE gone (id TEXT PRIMARY KEY) WITHOUT ROWID;
  BEGIN`;

/**
 * A feed on disk while it is imported, sorted by product, so that items of a group need not be neighbours and a feed may be of any length. Gone with
 * the process; the same feed gives the same order again.
 */
export class FeedWorkspace {
  private readonly sql: Statements;
  private serial = 0;
  private numbered = 0;

  private constructor(readonly folder: string) {
    this.sql = new Statements(openScratch(join(folder, 'feed.db')));
    this.sql.exec(TABLES);
  }

  /** Among the system's temporary files. Those that killed processes left there go a day later. */
  static async open(): Promise<FeedWorkspace> {
    const parent = join(tmpdir(), 'vitrine-feeds');
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await sweep(parent);
    return new FeedWorkspace(await mkdtemp(join(parent, 'feed-')));
  }

  add(line: number, { productId, channel, grouped, fields }: FeedItem): void {
    const number = this.numberOf(productId, channel ?? '');
    this.serial += 1;
    const values = [number, this.serial, line, grouped ? 1 : 0, JSON.stringify(fields)];
    this.sql.run('INSERT INTO item (product, serial, line, grouped, fields) VALUES (?, ?, ?, ?, ?)', ...values);
  }

  private numberOf(id: string, channel: string): number {
    const added = this.sql.one(
      'INSERT INTO product (id, channel) VALUES (?, ?) ON CONFLICT DO UPDATE SET id = id RETURNING number',
      id,
      channel,
    );
    const number = Number(added?.[0]);
    this.numbered = Math.max(this.numbered, number);
    return number;
  }

  get products(): number {
    return this.numbered;
  }

  /** Whether the feed names the product, in whichever channel. */
  has(productId: string): boolean {
    return this.sql.one('SELECT 1 FROM product WHERE id = ? LIMIT 1', productId) !== undefined;
  }

  /** Products from one number on, so many at a time. */
  *read(from: number, limit: number): Generator<FeedProduct[]> {
    for (let next = from; ;) {
      const rows = this.sql.all(
        `SELECT number, id, channel, line, grouped, fields FROM product JOIN item ON product = number
         WHERE number >= ? AND number < ? ORDER BY number, serial`,
        next,
        next + limit,
      );
      if (rows.length === 0) return;
      yield productsOf(rows);
      next += limit;
    }
  }

  addGone(productId: string): void {
    this.sql.run('INSERT OR IGNORE INTO gone (id) VALUES (?)', productId);
  }

  get gone(): number {
    return Number(this.sql.one('SELECT count(*) FROM gone')?.[0] ?? 0);
  }

  /** Ids of products that the feed no longer has, in order, so many at a time. */
  *readGone(limit: number): Generator<string[]> {
    for (let after = ''; ;) {
      const ids = this.sql.all('SELECT id FROM gone WHERE id > ? ORDER BY id LIMIT ?', after, limit).flat().map(String);
      if (ids.length === 0) return;
      yield ids;
      after = ids.at(-1) ?? after;
    }
  }

  async close(): Promise<void> {
    this.sql.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const found = await stat(join(folder, 'feed.db')).catch(() => null);
    if (found && found.mtimeMs < performance.timeOrigin + performance.now() - LEFT_AFTER) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function productsOf(rows: readonly SqlRow[]): FeedProduct[] {
  const products: FeedProduct[] = [];
  for (const [number, id, channel, line, grouped, fields] of rows) {
    let product = products.at(-1);
    if (product?.number !== Number(number)) {
      product = { number: Number(number), productId: String(id), channel: String(channel) || null, items: [] };
      products.push(product);
    }
    product.items.push(placed(Number(line), Number(grouped) === 1, String(fields)));
  }
  return products;
}

/** Parsed when it is looked at: most of a feed that comes again is not. */
function placed(line: number, grouped: boolean, text: string): PlacedItem {
  let parsed: FeedRow | undefined;
  return {
    line,
    grouped,
    text,
    get fields() {
      return (parsed ??= JSON.parse(text) as FeedRow);
    },
  };
}
