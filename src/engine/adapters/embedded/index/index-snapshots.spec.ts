import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPlan, boostsOf, type DocumentSpec, engineProducts } from '../../../../../test/builders/an-engine-document';
import { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { compiled } from '../../../../storage/threads';
import type { QueryPlan } from '../../../plan/query-plan';
import { defaultTemplate } from '../../../../ranking/template/template';
import type { commands } from './engine.commands';
import { IndexSnapshots } from './index-snapshots';
import { Searcher } from '../score/run-search';
import { sendBoosts } from '../score/sent-boosts';
import type { SentResult } from '../score/sent-result';
import { StoreIndex } from './store-index';

const STORE = 'store1';
let folder: string;
let database: EmbeddedDatabase;
let snapshots: IndexSnapshots;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  database = await EmbeddedDatabase.open(folder, [compiled('engine/adapters/embedded/index/engine.commands')]);
  snapshots = new IndexSnapshots(database.reader, database.path);
  await write(catalog(300));
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (specs: DocumentSpec[]): Promise<unknown> =>
  database.writer.calls<typeof commands>()('engine.write', {
    store: STORE,
    language: 'pt-BR',
    products: engineProducts(specs),
  });
const setTrend = (trend: [string, number][]): Promise<unknown> =>
  database.writer.calls<typeof commands>()('engine.setTrend', { store: STORE, trend });
const remove = (productId: string): Promise<unknown> =>
  database.writer.calls<typeof commands>()('engine.write', {
    store: STORE,
    language: 'pt-BR',
    products: [{ productId, documents: [] }],
  });

/** Products with brands, categories, features and, some, a document of their own for a channel. */
function catalog(count: number): DocumentSpec[] {
  return Array.from({ length: count }, (_, number) => {
    const brand = { key: `brand${number % 7}`, label: `Brand ${number % 7}` };
    const own: DocumentSpec = {
      productId: `p${number}`,
      name: `tênis azul ${number % 11} modelo${number}`,
      price: 10 + (number % 50),
      brand,
      categories: [{ key: `c${number % 5}`, id: `c${number % 5}`, label: `Aisle ${number % 5}`, parent: null }],
      features: [`brand:${brand.key}`, `category:c${number % 5}`],
      available: number % 13 !== 0,
    };
    const special = { ...own, channel: 'app', price: 5 };
    return number % 10 === 0 ? [{ ...own, excludedChannels: ['app'] }, special] : [own];
  }).flat();
}

const row = () => database.reader.one('SELECT epoch, revision FROM engine_store WHERE store = ?', STORE) ?? [];
const epoch = (): number => Number(row()[0]);

function pulled(index = new StoreIndex(STORE, epoch())): StoreIndex {
  index.pull(database.reader, Number(row()[1]));
  return index;
}

function loaded(): StoreIndex {
  const index = snapshots.load(STORE, epoch());
  if (!index) throw new Error('No snapshot');
  return pulled(index);
}

const plans: Partial<QueryPlan>[] = [
  {},
  { channels: ['app'], size: 100 },
  { availableOnly: true, from: 40, filters: [{ kind: 'brand', keys: ['brand3'] }] },
  { sortBy: 'ascPrice', filters: [{ kind: 'price', ranges: [{ min: 12, max: 30 }] }] },
];

function answers(index: StoreIndex): SentResult[] {
  const boosts = sendBoosts(boostsOf({ 'brand:brand2': 0.4, 'product:p17': 0.9 }), true);
  return plans.map((plan) =>
    new Searcher().search(index, {
      plan: aPlan({ store: STORE, facets: ['brand', 'category', 'price'], ...plan }),
      template: defaultTemplate,
      boosts,
      explain: true,
    }),
  );
}

const words = (index: StoreIndex) =>
  new Searcher().words(index, 'pt-BR', [
    { word: 'tenis', stem: 'tenis' },
    { word: 'modelu', stem: 'modelu' },
  ]);

test('a byte that changed anywhere in a file is found, and said once', () => {
  const path = join(folder, 'search', `${STORE}.index`);
  const lines: string[] = [];
  const careful = new IndexSnapshots(database.reader, database.path, (line) => lines.push(line));
  careful.save(STORE, pulled());
  const whole = readFileSync(path);
  const step = Math.floor(whole.length / 200);
  for (let at = 0; at < whole.length; at += step) {
    const copy = Buffer.from(whole);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    writeFileSync(path, copy);
    expect(careful.load(STORE, epoch())).toBeNull();
    expect(lines.splice(0)).toEqual([expect.stringMatching(/is discarded.*(damaged|ends early)$/)]);
  }
  writeFileSync(path, whole);
  expect(careful.load(STORE, epoch())).not.toBeNull();
  expect(lines).toEqual([]);
});

test('an index from its snapshot answers as one from the database', async () => {
  await setTrend([['p3', 2.5]]);
  const index = pulled();
  snapshots.save(STORE, index);
  const again = loaded();
  expect(answers(again)).toEqual(answers(index));
  expect(words(again)).toEqual(words(index));
});

test('takes up what was written, removed and learned since', async () => {
  snapshots.save(STORE, pulled());
  await write([...catalog(20).map((spec) => ({ ...spec, version: 2, price: 99 })), { productId: 'new', name: 'bota' }]);
  await remove('p200');
  await setTrend([['p5', 7]]);
  const again = loaded();
  const sorted = (results: SentResult[]) => JSON.stringify(results);
  expect(sorted(answers(again))).toBe(sorted(answers(pulled())));
  expect(again.columns.productNumber('new')).toBeDefined();
  snapshots.save(STORE, again);
  expect(sorted(answers(loaded()))).toBe(sorted(answers(pulled())));
});

test('an index whose reading failed on the way is not to be saved until it has gone on', async () => {
  await write(catalog(900).map((spec) => ({ ...spec, version: 2 })));
  const index = new StoreIndex(STORE, epoch());
  const { all } = database.reader;
  let pages = 0;
  jest.spyOn(database.reader, 'all').mockImplementation((sql, ...args) => {
    if (sql.includes('FROM engine_product') && (pages += 1) === 2) throw new Error('The disk is busy');
    return all.call(database.reader, sql, ...args);
  });
  expect(() => pulled(index)).toThrow('The disk is busy');
  expect(index.columns.rows).toBeGreaterThan(0);
  expect(index.isPulling).toBe(true);
  pulled(index);
  jest.restoreAllMocks();
  expect(index.isPulling).toBe(false);
  expect(answers(index)).toEqual(answers(pulled()));
});

test('counts what a snapshot lacks', async () => {
  const index = pulled();
  expect(index.unsaved).toBe(300);
  expect(snapshots.needsSaving(index)).toBe(false);
  snapshots.save(STORE, index);
  expect(index.unsaved).toBe(0);
  await write([{ productId: 'p1', version: 9 }]);
  expect(pulled(index).unsaved).toBe(1);
});

test('is not taken for another life of the store, nor where the database is older', async () => {
  const index = pulled();
  snapshots.save(STORE, index);
  expect(snapshots.load(STORE, epoch() + 1)).toBeNull();
  const behind = new IndexSnapshots(database.reader, database.path);
  jest.spyOn(database.reader, 'one').mockReturnValue([10]);
  expect(behind.load(STORE, index.epoch)).toBeNull();
  jest.restoreAllMocks();
  expect(behind.load(STORE, index.epoch)).not.toBeNull();
});

test('a damaged file is removed, and so are those of stores that are gone', () => {
  const path = join(folder, 'search', `${STORE}.index`);
  snapshots.save(STORE, pulled());
  truncateSync(path, 5000);
  expect(snapshots.load(STORE, epoch())).toBeNull();
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, 'something else');
  expect(snapshots.load(STORE, epoch())).toBeNull();
  snapshots.save(STORE, pulled());
  snapshots.save('gone', pulled());
  snapshots.removeOthers([STORE]);
  expect(readdirSync(join(folder, 'search'))).toEqual([`${STORE}.index`]);
});
