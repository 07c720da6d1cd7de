import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPlan, boostsOf, type DocumentSpec, engineProducts } from '../../../../../test/builders/an-engine-document';
import { Dice } from '../../../../../test/support/dice';
import { defaultTemplate } from '../../../../ranking/template/template';
import { migrate } from '../../../../storage/sqlite/migrations/migrate';
import { openDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import { Searcher } from '../score/run-search';
import { sendBoosts } from '../score/sent-boosts';
import { dueAbove } from './compaction';
import { commands } from './engine.commands';
import { IndexSnapshots } from './index-snapshots';
import { StoreIndex } from './store-index';

const STORE = 'store1';
let folder: string;
let sql: Statements;
let snapshots: IndexSnapshots;
let version: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const path = join(folder, 'test.db');
  sql = new Statements(openDatabase(path));
  migrate(sql.db);
  // Every statement is a transaction of its own here.
  sql.exec('PRAGMA synchronous = OFF');
  snapshots = new IndexSnapshots(sql, path);
  version = 0;
  commands['engine.removeStore'](sql, { store: STORE });
});

afterEach(() => {
  sql.db.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(specs: DocumentSpec[]): string {
  version++;
  const products = engineProducts(specs.map((spec) => ({ ...spec, version })));
  if (sql.db.inTransaction) return commands['engine.write'](sql, { store: STORE, language: 'pt-BR', products });
  sql.exec('BEGIN');
  const growth = commands['engine.write'](sql, { store: STORE, language: 'pt-BR', products });
  sql.exec('COMMIT');
  return growth;
}

const remove = (productId: string): string =>
  commands['engine.write'](sql, { store: STORE, language: 'pt-BR', products: [{ productId, documents: [] }] });

const compactStep = (): boolean => commands['engine.compact'](sql, { store: STORE });
const count = (query: string): number => Number(sql.one(query, STORE)?.[0]);
const terms = (): number => count('SELECT COUNT(*) FROM engine_term WHERE store = ?');
const row = () => sql.one('SELECT epoch, revision, compactions FROM engine_store WHERE store = ?', STORE) ?? [];

function compact(): void {
  while (!compactStep()) continue;
}

function pull(index: StoreIndex): StoreIndex {
  index.pull(sql, Number(row()[1]));
  return index;
}

const fresh = (): StoreIndex => pull(new StoreIndex(STORE, Number(row()[0])));

function forgetFreed(index: StoreIndex): void {
  for (const _ of index.forgetTerms(sql)) continue;
}

function fromSnapshot(index: StoreIndex): StoreIndex {
  snapshots.save(STORE, index);
  const loaded = snapshots.load(STORE, index.epoch);
  if (!loaded) throw new Error('No snapshot');
  return pull(loaded);
}

/** Letters alone, so that near words are looked up. */
const wordOf = (number: number): string =>
  `k${number.toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}o`;

/** What shoppers see of some words: their counts, near words, products, facets and what boosts do. */
function answers(index: StoreIndex, words: readonly string[]): unknown {
  const searcher = new Searcher();
  const boosts = sendBoosts(boostsOf({ 'brand:b1': 0.4, 'tag:t2': 0.9 }), true);
  const found = words.map((word) => {
    const match = {
      kind: 'terms' as const,
      terms: [{ word, variants: [{ token: word, kind: 'typed' as const, weight: 1 }], weight: 1 }],
      exact: '',
      someBelow: 0,
      minimumSome: 1,
    };
    const plan = aPlan({ store: STORE, match, facets: ['brand', 'category'], channels: ['app', 'default'] });
    return searcher.search(index, { plan, template: defaultTemplate, boosts, explain: true });
  });
  return [found, words.map((word) => searcher.words(index, 'pt-BR', [{ word, stem: word }]))];
}

function randomProduct(dice: Dice): DocumentSpec[] {
  const productId = `p${dice.below(60)}`;
  const [brand, aisle] = [dice.below(30), dice.below(30)];
  const own = {
    productId,
    name: Array.from({ length: 1 + dice.below(6) }, () => wordOf(dice.below(500))).join(' '),
    brand: { key: `b${brand}`, label: `Brand ${brand}` },
    categories: [{ key: `c${aisle}`, id: 'c', label: `Aisle ${aisle}`, parent: null }],
    features: [`brand:b${brand}`, `tag:t${dice.below(40)}`],
    excludedChannels: dice.below(3) === 0 ? ['app', `only${dice.below(20)}`] : [],
  };
  return dice.below(5) === 0 ? [own, { ...own, channel: 'app', price: 5 }] : [own];
}

test('whatever is written, removed, compacted and reloaded in between, an index answers as one made anew', () => {
  const dice = new Dice(5);
  let index: StoreIndex | null = null;
  const words = Array.from({ length: 500 }, (_, number) => wordOf(number));
  for (let round = 0; round < 160; round++) {
    if (dice.below(8) === 0) remove(`p${dice.below(60)}`);
    else write(randomProduct(dice));
    // Due at any time.
    sql.run('UPDATE engine_store SET compacted = -1000000 WHERE store = ?', STORE);
    for (let steps = dice.below(4); steps > 0; steps--) compactStep();
    if (dice.below(3) !== 0) continue;
    index = pull(index ?? fresh());
    if (dice.below(4) === 0) forgetFreed(index);
    if (dice.below(6) === 0) index = fromSnapshot(index);
    const asked = words.slice(dice.below(470)).slice(0, 30);
    expect(answers(index, asked)).toEqual(answers(fresh(), asked));
  }
  expect(count('SELECT MAX(id) FROM engine_term WHERE store = ?')).toBeLessThan(1000);
  expect(count('SELECT compactions FROM engine_store WHERE store = ?')).toBeGreaterThan(20);
});

test('terms that no product names are freed, in memory and in files, however often products are rewritten', () => {
  const [products, wordsEach] = [100, 25];
  let index: StoreIndex | null = null;
  const rewrite = (round: number): string =>
    write(
      Array.from({ length: products }, (_, number) => ({
        productId: `p${number}`,
        name: 'camiseta',
        description: Array.from({ length: wordsEach }, (__, word) =>
          wordOf(1000 + (round * products + number) * wordsEach + word),
        ).join(' '),
        brand: { key: 'acme', label: `Acme ${round} ${number}` },
        features: [`brand:acme`, `tag:t${round}.${number}`],
      })),
    );
  const sizes: number[] = [];
  for (let round = 0; round < 24; round++) {
    if (rewrite(round) !== 'little') compact();
    index = pull(index ?? fresh());
    if (index.compactions !== Number(row()[2])) {
      forgetFreed(index);
      index.compactions = Number(row()[2]);
    }
    if (index.wasteful) index = fresh();
    if (round % 4 < 3) continue;
    snapshots.save(STORE, index);
    sizes.push(statSync(join(folder, 'search', `${STORE}.index`)).size);
  }
  const used = products * (wordsEach + 3) * 2;
  const most = dueAbove(used) + used;
  expect(terms()).toBeLessThan(most);
  expect(count('SELECT MAX(id) FROM engine_term WHERE store = ?')).toBeLessThan(most);
  expect(index?.vocabulary.size).toBe(terms());
  expect(index?.vocabulary.terms.length).toBeLessThan(most);
  expect(Math.max(...sizes.slice(3))).toBeLessThan(1.2 * Math.max(...sizes.slice(0, 3)));
  expect(answers(index ?? fresh(), ['camiseta', wordOf(1000)])).toEqual(answers(fresh(), ['camiseta', wordOf(1000)]));
});

test('what comes and goes while terms are freed is freed by the next, which follows at once', () => {
  const words = (round: number): string =>
    Array.from({ length: 400 }, (_, word) => wordOf(1000 + round * 400 + word)).join(' ');
  const rewrite = (round: number): string =>
    write(
      Array.from({ length: 30 }, (_, product) => ({
        productId: `p${product}`,
        description: words(round * 30 + product),
      })),
    );
  rewrite(0);
  const once = terms();
  expect(rewrite(1)).not.toBe('little');
  expect(compactStep()).toBe(false);
  // Written and replaced while a compaction is under way: it takes both for named.
  rewrite(2);
  rewrite(3);
  compact();
  expect(Number(row()[2])).toBe(2);
  expect(terms()).toBeLessThanOrEqual(1.1 * once);
});

test('a compaction that was lost with its thread begins anew, and one of a store that was removed ends', () => {
  write([{ productId: 'a', name: 'velho' }]);
  write([{ productId: 'a', name: 'novo' }]);
  sql.run('UPDATE engine_store SET compacted = -1000000 WHERE store = ?', STORE);
  expect(compactStep()).toBe(false);
  expect(commands['engine.removeStore'](sql, { store: STORE })).toBe(false);
  expect(compactStep()).toBe(true);
  write([{ productId: 'a', name: 'novo' }]);
  expect(compactStep()).toBe(true);
  expect(answers(fresh(), ['novo', 'velho'])).toEqual(answers(pull(fresh()), ['novo', 'velho']));
});

test('what is rolled back is not taken for freed', () => {
  write([{ productId: 'a', name: 'velho' }]);
  write([{ productId: 'a', name: 'novo' }]);
  sql.run('UPDATE engine_store SET compacted = -1000000 WHERE store = ?', STORE);
  const before = terms();
  sql.exec('BEGIN');
  compact();
  expect(terms()).toBeLessThan(before);
  write([{ productId: 'b', name: 'outro' }]);
  sql.exec('ROLLBACK');
  expect(terms()).toBe(before);
  write([{ productId: 'b', name: 'velho' }]);
  expect(terms()).toBe(before);
  expect(new Searcher().words(fresh(), 'pt-BR', [{ word: 'velho', stem: 'velho' }])).toEqual([
    { documents: 1, of: 2, near: [], completions: [] },
  ]);
});

test('popularity of products that are gone for long is forgotten', () => {
  write([{ productId: 'here', name: 'novo' }]);
  const trend = (product: string) => commands['engine.setTrend'](sql, { store: STORE, trend: [[product, 2]] });
  for (const product of ['here', 'gone', 'late']) trend(product);
  sql.run("UPDATE sqlite_sequence SET seq = seq + 300000 WHERE name = 'engine_trend'");
  trend('early');
  sql.run('UPDATE engine_store SET compacted = -1000000 WHERE store = ?', STORE);
  compact();
  const left = sql.all('SELECT product FROM engine_trend WHERE store = ? ORDER BY product', STORE).flat();
  expect(left).toEqual(['early', 'here']);
});

test('terms whose revision nobody kept, as data folders of before have them, are read, freed and given again', () => {
  write([{ productId: 'a', name: 'velho' }]);
  sql.run('UPDATE engine_term SET since = 0');
  const index = fresh();
  write([{ productId: 'a', name: 'novo' }]);
  sql.run('UPDATE engine_store SET compacted = -1000000 WHERE store = ?', STORE);
  compact();
  write([{ productId: 'b', name: 'outro' }]);
  const words = ['velho', 'novo', 'outro'];
  expect(answers(pull(index), words)).toEqual(answers(fresh(), words));
  expect(index.vocabulary.id('wvelho')).toBeUndefined();
});
