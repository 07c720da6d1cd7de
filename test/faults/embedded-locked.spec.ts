import { databasePath } from '../../src/storage/sqlite/embedded-database';
import { openDatabase, type SqliteDatabase } from '../../src/storage/sqlite/sqlite';
import { Acknowledged, eventually } from '../support/acknowledged';
import { embeddedMode } from '../support/modes';
import { promptly } from '../support/promptly';
import { ServiceProcess } from '../support/service-process';
import { QUERIES, StoreClient } from '../support/store-client';

jest.setTimeout(120_000);

describe('a database that another process locks', () => {
  const place = embeddedMode.place();
  let service: ServiceProcess;
  let store: StoreClient;
  let written: Acknowledged;
  let other: SqliteDatabase;

  beforeAll(async () => {
    service = await ServiceProcess.start({ ...place.env, LOG_LEVEL: 'warn' });
    store = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
    written = new Acknowledged(store);
    await written.writeMany(10);
    await search();
    other = openDatabase(databasePath(place.env['DATA_DIR'] ?? ''));
  });
  afterAll(async () => {
    other?.close();
    await service?.kill();
    await place.remove();
  });

  const search = () => store.send({ path: QUERIES, query: { terms: 'caneca' }, headers: store.headers });
  const ready = () => service.send({ path: '/health/ready' });

  it('answers every write 503 that says so, leaves none hanging, and searches', async () => {
    other.exec('BEGIN IMMEDIATE');
    // More than one after the other, from each of many clients.
    await written.writeMany(4, 16);
    expect(written.wrong).toEqual([]);
    expect(written.refused.length).toBe(4 * 16 * 2);
    const messages = new Set(written.refused.map(({ json }) => `${json['error']}: ${json['message']}`));
    expect(messages).toContain('unavailable: The database is locked by another process: try again later');
    expect((await search()).status).toBe(200);
  });

  it('is not ready and says why, until the lock is gone', async () => {
    await promptly(async () => expect((await ready()).status).toBe(503));
    expect((await ready()).json).toMatchObject({
      dependencies: { storage: 'down' },
      reasons: { storage: 'The database is locked by another process' },
    });
    expect((await service.send({ path: '/metrics' })).text).toMatch(/^database_up 0$/m);
    other.exec('COMMIT');
    await eventually(async () => (await ready()).status === 200);
    expect((await service.send({ path: '/metrics' })).text).toMatch(/^database_up 1$/m);
  });

  it('has all that it accepted, and nothing of what it refused', async () => {
    const before = written.refused.length;
    await written.writeMany(5);
    expect(written.refused.length).toBe(before);
    expect(await written.missing()).toEqual([]);
    const { size } = await store.search({ terms: 'caneca' });
    expect(size).toBe(written.products.size);
  });

  it('stops while the lock is held once more, and has logged one line for each time', async () => {
    other.exec('BEGIN IMMEDIATE');
    const { code, stdout } = await service.stop();
    other.exec('COMMIT');
    expect(code).toBe(0);
    expect(stdout.match(/takes no writes.*locked by another process/g)).toHaveLength(2);
    expect(stdout.match(/takes writes again/g)).toHaveLength(1);
  });
});
