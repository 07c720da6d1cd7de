import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';
import { DailyAddresses } from '../../src/stores/access/daily-addresses';

const MORNING = Date.UTC(2026, 4, 4, 8);
const HOUR = 3_600_000;

describe('hashes of addresses, by a salt of the day', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let documents: EmbeddedDocuments;
  let addresses: DailyAddresses;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    database = await EmbeddedDatabase.open(folder, [compiled('documents/adapters/embedded/documents.commands')]);
    documents = new EmbeddedDocuments(database);
    addresses = new DailyAddresses(documents);
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('an address has one hash all day, in every process, and another one in another store', async () => {
    const [own, other] = await Promise.all([
      addresses.of('s1', '10.0.0.1', MORNING),
      new DailyAddresses(documents).of('s1', '10.0.0.1', MORNING + 15 * HOUR),
    ]);
    expect(own).toMatch(/^[\w-]{22}$/);
    expect(other).toBe(own);
    expect(await addresses.of('s2', '10.0.0.1', MORNING)).not.toBe(own);
    expect(await addresses.of('s1', '10.0.0.2', MORNING)).not.toBe(own);
    expect(await addresses.of('s1', '', MORNING)).toBeNull();
  });

  test('an IPv6 subscriber has one hash for a /64', async () => {
    const hashes = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].map((address) =>
      addresses.of('s1', address, MORNING),
    );
    const [first, same, foreign] = await Promise.all(hashes);
    expect(same).toBe(first);
    expect(foreign).not.toBe(first);
  });

  test('with the next day the salt is gone, and the address has another hash', async () => {
    const today = await addresses.of('s1', '10.0.0.1', MORNING);
    const tomorrow = await addresses.of('s1', '10.0.0.1', MORNING + 24 * HOUR);
    expect(tomorrow).not.toBe(today);
    const salts = await documents.list({ kind: 'address-salt' });
    expect(salts.map(({ id }) => id)).toEqual(['2026-05-05']);
    // Nobody calls on the day after.
    expect(await addresses.forget(MORNING + 48 * HOUR)).toBe(1);
    expect(await documents.list({ kind: 'address-salt' })).toEqual([]);
  });
});
