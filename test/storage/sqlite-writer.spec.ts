import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePath, EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { openDatabase } from '../../src/storage/sqlite/sqlite';

type Flush = { 'storage.flush': () => null };

describe('the embedded writer', () => {
  let folder: string;
  let database: EmbeddedDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    database = await EmbeddedDatabase.open(folder, []);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('refuses more than it can keep while the disk does not answer, and loses nothing it took', async () => {
    // Somebody else holds the file, as a disk that has stopped would.
    const other = openDatabase(databasePath(folder));
    other.exec('BEGIN IMMEDIATE');
    const call = database.writer.calls<Flush>();
    const outcomes = Array.from({ length: 20_100 }, () =>
      call('storage.flush', undefined).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      ),
    );
    expect(new Set(await Promise.all(outcomes.slice(20_000)))).toEqual(new Set(['unavailable']));
    other.exec('COMMIT');
    other.close();
    // What the lock outlasts was not taken, and is told so.
    const told = new Set(await Promise.all(outcomes.slice(0, 20_000)));
    expect([...told].filter((outcome) => outcome !== 'done' && outcome !== 'SQLITE_BUSY')).toEqual([]);
    expect(await call('storage.flush', undefined)).toBeNull();
    await database.close();
  });

  test('answers what another process keeps it from writing, and writes again once that has ended', async () => {
    const other = openDatabase(databasePath(folder));
    other.exec('BEGIN IMMEDIATE');
    const call = database.writer.calls<Flush>();
    // Asked for one after the other, as requests come: none of them waits for those before it.
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.allSettled([call('storage.flush', undefined), call('storage.flush', undefined)]);
      expect(outcomes).toMatchObject([{ reason: { code: 'SQLITE_BUSY' } }, { reason: { code: 'SQLITE_BUSY' } }]);
    }
    await expect(database.writer.health.check()).rejects.toThrow('locked by another process');
    other.exec('COMMIT');
    other.close();
    expect(await call('storage.flush', undefined)).toBeNull();
    await database.close();
  });

  test('a locked database is closed all the same', async () => {
    const other = openDatabase(databasePath(folder));
    other.exec('BEGIN IMMEDIATE');
    await database.close();
    other.close();
  });

  test('refuses as unavailable once it has ended', async () => {
    const call = database.writer.calls<Flush>();
    await database.close();
    await expect(call('storage.flush', undefined)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
