import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineProducts } from '../../../../test/builders/an-engine-document';
import { EngineBench } from '../../../../test/support/engine-bench';
import { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import { openDatabase } from '../../../storage/sqlite/sqlite';
import { compiled } from '../../../storage/threads';
import { EmbeddedSearchEngine } from './embedded-search-engine';
import { dueAbove } from './index/compaction';
import { SearchThread } from './thread/search-thread';

const PRODUCTS = 100;
const WORDS = 120;

/** Letters alone, different for every number. */
const wordOf = (number: number): string =>
  Array.from(number.toString(26), (digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)]).join('');

let folder: string;
let database: EmbeddedDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  database = await EmbeddedDatabase.open(folder, [compiled('engine/adapters/embedded/index/engine.commands')]);
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (): Promise<EmbeddedSearchEngine> =>
  EmbeddedSearchEngine.open(database, { thread: new SearchThread({ path: database.path }, 20_000) });

const terms = (): number => Number(database.reader.one('SELECT COUNT(*) FROM engine_term')?.[0]);

test('a catalog rewritten again and again keeps few terms, and searches find what it has now, a restart included', async () => {
  let engine = await open();
  const bench = new EngineBench(engine);
  const firstWord = (round: number): number => 1_000_000 + round * PRODUCTS * WORDS;
  const rewrite = (round: number): Promise<void> =>
    engine.write(
      bench.store,
      'pt-BR',
      engineProducts(
        Array.from({ length: PRODUCTS }, (_, product) => ({
          productId: `p${product}`,
          version: round + 1,
          name: `camiseta ${wordOf(firstWord(round) + product * WORDS)}`,
          description: Array.from({ length: WORDS }, (__, word) =>
            wordOf(firstWord(round) + product * WORDS + word),
          ).join(' '),
        })),
      ),
    );
  for (let round = 0; round < 5; round++) {
    await rewrite(round);
    expect(await bench.find(wordOf(firstWord(round)))).toEqual(['p0']);
    const lost = wordOf(firstWord(round - 1));
    const [answer] = await engine.words(bench.store, { words: [{ word: lost, stem: lost, correct: false }] });
    expect(answer).toMatchObject({ documents: 0, near: [], completions: [] });
  }
  const used = PRODUCTS * WORDS * 2;
  while (terms() > dueAbove(used)) await sleep(20);
  expect(await bench.find(wordOf(firstWord(4) + WORDS))).toEqual(['p1']);
  await engine.close();
  engine = await open();
  expect(await new EngineBench(engine).find(wordOf(firstWord(4)))).toEqual(['p0']);
  await engine.close();
});

test('an index that an older version wrote is outdated until it is made anew', async () => {
  const engine = await open();
  const products = engineProducts([{ productId: 'a', name: 'mesa' }]);
  await engine.write('s', 'pt-BR', products);
  expect((await engine.status('s')).outdated).toBe(false);
  await engine.close();
  await database.close();
  // What a migration makes of a store that was there before.
  const sql = openDatabase(database.path);
  sql.exec('UPDATE engine_store SET schema = 1');
  sql.close();
  database = await EmbeddedDatabase.open(folder, [compiled('engine/adapters/embedded/index/engine.commands')]);
  const later = await open();
  expect(await later.status('s')).toEqual({ documents: 1, version: 1, outdated: true });
  await later.rebuild('s', 'pt-BR', (write) => write(products));
  expect((await later.status('s')).outdated).toBe(false);
  await later.close();
});
