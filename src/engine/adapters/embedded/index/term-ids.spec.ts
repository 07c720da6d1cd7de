import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineProducts } from '../../../../../test/builders/an-engine-document';
import { migrate } from '../../../../storage/sqlite/migrations/migrate';
import { openDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import { commands } from './engine.commands';
import { TermIds, termsInParts } from './term-ids';

const STORE = 'store1';
let folder: string;
let sql: Statements;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  sql = new Statements(openDatabase(join(folder, 'test.db')));
  migrate(sql.db);
});

afterEach(() => {
  sql.db.close();
  rmSync(folder, { recursive: true, force: true });
});

const stored = (): string[] => [...termsInParts(sql, STORE)].flat().map(([, term]) => term);

describe('numbers of terms', () => {
  it('are written with their terms, each as it can be read again', () => {
    const terms = new TermIds(sql, STORE, 1, 0);
    const hard = ['wca"fé', 'w42', 'w[1]', 'w\u2028', 'b["a\\b","A"]', 'w😀', ''.concat('w', 'x'.repeat(3000))];
    const ids = hard.map((term) => terms.id(term));
    terms.id('fum\0dois');
    terms.id('fmeio\ud83d');
    expect(stored()).toEqual([]);
    terms.save(7);
    expect(stored()).toEqual([...hard, 'fum\uFFFDdois', 'fmeio\uFFFD']);
    expect(hard.map((term) => new TermIds(sql, STORE, 1, 9).id(term))).toEqual(ids);
    const rows = sql.all('SELECT term, named FROM engine_term WHERE store = ? AND since = 7 AND named = 1', STORE);
    expect(rows).toEqual([['b["a\\b","A"]', 1]]);
  });

  it('that were given out by a write that failed stand for nothing', () => {
    const write = (names: string[], fails = false): void => {
      const products = engineProducts(names.map((name, at) => ({ productId: `${name}${at}`, name, version: 1 })));
      const last = products.at(-1)?.documents[0];
      // What is not even a list can't be read.
      if (fails && last) Object.assign(last, { exact: null });
      sql.exec('BEGIN');
      try {
        commands['engine.write'](sql, { store: STORE, language: 'pt-BR', products });
        sql.exec('COMMIT');
      } catch (error) {
        sql.exec('ROLLBACK');
        throw error;
      }
    };
    commands['engine.removeStore'](sql, { store: STORE });
    write(['tenis']);
    const before = stored();
    expect(() => write(['sandalia', 'chinelo'], true)).toThrow(TypeError);
    expect(stored()).toEqual(before);
    write(['bota']);
    expect(stored()).toEqual(expect.arrayContaining([...before, 'wbota']));
    expect(stored().filter((term) => /sandalia|chinelo/.test(term))).toEqual([]);
  });
});
