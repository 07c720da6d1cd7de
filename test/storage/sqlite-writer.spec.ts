import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { commands } from '../../src/documents/adapters/embedded/documents.commands';
import { commandModules } from '../../src/storage/sqlite/command-modules';
import { databasePath, EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { openDatabase } from '../../src/storage/sqlite/sqlite';

type Flush = { 'storage.flush': () => null };

describe('the embedded writer', () => {
  let folder: string;
  let database: EmbeddedDatabase;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    database = await EmbeddedDatabase.open(folder, commandModules());
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  // oxlint-disable-next-line jest/no-disabled-tests -- its title says what is missing elsewhere
  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('lets those who wait for an answer go first, where the system has priorities for threads', async () => {
    const nice = readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    });
    expect(nice.some((one) => one > getPriority())).toBe(true);
    await database.close();
  });

  test('refuses more than it can keep while the disk does not answer, and loses nothing it took', async () => {
    // Somebody else holds the file, as a disk that has stopped would.
    const other = openDatabase(databasePath(folder));
    other.exec('BEGIN IMMEDIATE');
    const call = database.writer.calls<typeof commands>();
    const counter = { store: '*', kind: 'counter', id: 'writes' };
    const outcomes = Array.from({ length: 20_100 }, () =>
      call('documents.increment', { ...counter, by: 1 }).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      ),
    );
    expect(new Set(await Promise.all(outcomes.slice(20_000)))).toEqual(new Set(['unavailable']));
    other.exec('COMMIT');
    other.close();
    // On a slow machine the lock outlasts some, which are told so. What is written is exactly what was called done.
    const told = await Promise.all(outcomes.slice(0, 20_000));
    const done = told.filter((outcome) => outcome === 'done').length;
    expect(done + told.filter((outcome) => outcome === 'SQLITE_BUSY').length).toBe(20_000);
    expect(await call('documents.increment', { ...counter, by: 0 })).toBe(done);
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

  test('what comes while it closes is written or refused', async () => {
    const call = database.writer.calls<typeof commands>();
    const counter = { store: '*', kind: 'counter', id: 'writes' };
    const outcomes: Promise<boolean>[] = [];
    const more = (): void => {
      const write = call('documents.increment', { ...counter, by: 1 });
      outcomes.push(
        write.then(
          () => true,
          () => false,
        ),
      );
    };
    const state = { closed: false };
    const closing = database.close().then(() => (state.closed = true));
    // Asked for at every moment there is: within a turn of the event loop and between two.
    while (!state.closed) {
      more();
      await new Promise<void>((resolve) => queueMicrotask(resolve));
      more();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closing;
    // Closing may be so fast that all of these were written. This one comes after it.
    more();
    const done = (await Promise.all(outcomes)).filter(Boolean).length;
    database = await EmbeddedDatabase.open(folder, commandModules());
    const again = database.writer.calls<typeof commands>();
    expect(await again('documents.increment', { ...counter, by: 0 })).toBe(done);
    expect(done).toBeLessThan(outcomes.length);
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
