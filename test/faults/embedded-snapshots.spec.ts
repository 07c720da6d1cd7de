import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { EmbeddedSearchEngine } from '../../src/engine/adapters/embedded/embedded-search-engine';
import { SearchThread } from '../../src/engine/adapters/embedded/thread/search-thread';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { Dice } from '../support/dice';
import { EngineBench } from '../support/engine-bench';

/** Enough for a snapshot of many blocks of a disk, which is made by itself. */
const PRODUCTS = 8000;
const PLACES = 20;
/** For searches: what is asked here is whether they are right. */
const PATIENCE_MS = 20_000;
/** What a disk loses at once. */
const BLOCK = 4096;

jest.setTimeout(120_000);

describe('a snapshot of the embedded index that is damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-snapshots-'));
  const dice = new Dice(20_261_122);
  const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  let database: EmbeddedDatabase;
  let path: string;
  let whole: Buffer;
  let truth: unknown;

  beforeAll(async () => {
    database = await EmbeddedDatabase.open(folder, [compiled('engine/adapters/embedded/index/engine.commands')]);
    const thread = new SearchThread({ path: database.path }, PATIENCE_MS);
    const engine = await EmbeddedSearchEngine.open(database, { thread });
    const bench = new EngineBench(engine);
    await bench.write(
      Array.from({ length: PRODUCTS }, (_, number) => ({
        productId: `p${number}`,
        name: `caneca ${number % 97} modelo${number}`,
      })),
    );
    truth = await answers(bench);
    await engine.close();
    const [file = ''] = readdirSync(join(folder, 'search'));
    path = join(folder, 'search', file);
    whole = readFileSync(path);
  });
  afterAll(async () => {
    logged.mockRestore();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What every product takes part in, and what single ones do. */
  async function answers(bench: EngineBench): Promise<unknown> {
    const plans = [bench.plan({ size: 200, facets: ['price'] })];
    for (const words of ['caneca', 'modelo77', 'modelo7999']) plans.push(await bench.planFor(words, { size: 50 }));
    return Promise.all(plans.map((plan) => bench.search({ plan })));
  }

  /** A block of zeroes, as a disk leaves one that it has lost, or one bit that has turned. */
  function damaged(place: number): Buffer {
    const copy = Buffer.from(whole);
    if (place % 2 === 0) {
      const at = dice.below(copy.length - BLOCK);
      copy.fill(0, at, at + BLOCK);
    }
    // Always, or where zeroes had been already.
    if (copy.equals(whole)) {
      const at = dice.below(copy.length);
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << dice.below(8)), at);
    }
    return copy;
  }

  async function startOn(file: Buffer): Promise<{ lines: string[]; found: unknown }> {
    writeFileSync(path, file);
    const thread = new SearchThread({ path: database.path }, PATIENCE_MS);
    logged.mockClear();
    const engine = await EmbeddedSearchEngine.open(database, { thread });
    const found = await answers(new EngineBench(engine));
    await engine.close();
    return { lines: logged.mock.calls.map(([line]) => String(line)), found };
  }

  it('is what a start reads while it is whole', async () => {
    expect(await startOn(whole)).toEqual({ lines: [], found: truth });
  });

  it.each(Array.from({ length: PLACES }, (_, place) => place + 1))(
    'at random place %i: is discarded with a line for the log, and every product is found',
    async (place) => {
      const { lines, found } = await startOn(damaged(place));
      expect(lines).toEqual([expect.stringContaining(`The index snapshot ${path} is discarded`)]);
      expect(found).toEqual(truth);
    },
  );

  it('is made anew, whole, in place of the one that was damaged', async () => {
    await startOn(damaged(0));
    expect(await startOn(readFileSync(path))).toEqual({ lines: [], found: truth });
  });
});
