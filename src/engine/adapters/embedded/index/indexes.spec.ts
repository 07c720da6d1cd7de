import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPlan, engineProducts } from '../../../../../test/builders/an-engine-document';
import { Dice } from '../../../../../test/support/dice';
import { defaultTemplate } from '../../../../ranking/template/template';
import { migrate } from '../../../../storage/sqlite/migrations/migrate';
import { openDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import { Searcher } from '../score/run-search';
import { commands } from './engine.commands';
import { Indexes } from './indexes';

const STORE = 'store1';
const PRODUCTS = 500;
let folder: string;
let path: string;
let sql: Statements;
let version = 0;
let opened: Indexes[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  path = join(folder, 'test.db');
  sql = new Statements(openDatabase(path));
  migrate(sql.db);
  sql.exec('PRAGMA synchronous = OFF');
});

afterEach(() => {
  for (const indexes of opened) indexes.close();
  opened = [];
  sql.db.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Indexes {
  const indexes = new Indexes(sql, path);
  opened.push(indexes);
  return indexes;
}

/** Products with thirty words each that none had before. */
function write(ids: readonly number[]): void {
  version += 1;
  const specs = ids.map((id) => {
    const words = Array.from({ length: 30 }, (_, number) => `word${version}x${id}x${number}`);
    return { productId: `p${id}`, name: `vase ${version} ${words.join(' ')}`, price: version, version };
  });
  sql.exec('BEGIN');
  commands['engine.write'](sql, { store: STORE, language: 'en', products: engineProducts(specs) });
  sql.exec('COMMIT');
}

function found(indexes: Indexes, word: string): unknown {
  const { index, language } = indexes.upToDate(STORE);
  const searcher = new Searcher();
  const plan = aPlan({ store: STORE, language, size: 1000, match: { kind: 'all' }, facets: ['price'] });
  const { hits, facets } = searcher.search(index, { plan, template: defaultTemplate, boosts: null, explain: false });
  return [hits, facets, searcher.words(index, language, [{ word, stem: word }])];
}

describe('an index that is added to in steps', () => {
  it('takes several, and then has all that was written', () => {
    const indexes = open();
    write(Array.from({ length: PRODUCTS }, (_, id) => id));
    let steps = 1;
    while (indexes.step(STORE)) steps += 1;
    expect(steps).toBeGreaterThan(2);
    expect(found(indexes, 'word1x5x5')).toEqual(found(open(), 'word1x5x5'));
    expect(indexes.step(STORE)).toBe(false);
  });

  it('answers with all that was committed, whatever is written and searched between the steps', () => {
    const dice = new Dice(5);
    const indexes = open();
    write(Array.from({ length: PRODUCTS }, (_, id) => id));
    for (let round = 0; round < 8; round += 1) {
      write(Array.from({ length: 150 }, () => dice.below(PRODUCTS)).filter((id, at, ids) => ids.indexOf(id) === at));
      for (let step = dice.below(6); step > 0; step -= 1) indexes.step(STORE);
      if (dice.below(2) === 0) continue;
      const word = `word${version}x${dice.below(PRODUCTS)}x3`;
      expect(found(indexes, word)).toEqual(found(open(), word));
    }
    while (indexes.step(STORE)) continue;
    expect(found(indexes, 'vase')).toEqual(found(open(), 'vase'));
  });
});
