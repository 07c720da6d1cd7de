import { setTimeout as sleep } from 'node:timers/promises';
import { aProduct } from '../builders/a-product';
import { Acknowledged, eventually } from '../support/acknowledged';
import { promptly } from '../support/promptly';
import { limitedPages, type ServiceOnSmallDisk, type SmallDisk, smallFileSystem } from '../support/small-disk';
import { QUERIES, StoreClient } from '../support/store-client';

jest.setTimeout(120_000);

/** What makes pages fill soon. */
const PADDING = 'caneca de porcelana branca '.repeat(60);
/** Values whose ids no page has room for that is there already. */
const MANY = 50;
const many = (kind: string): string[] =>
  Array.from({ length: MANY }, (_, number) => `${kind} ${number} ${'x'.repeat(48)}`);
/** How long the disk stays full at a start. */
const FULL_FOR_MS = 3000;

describe.each<SmallDisk>([limitedPages, smallFileSystem()])(
  'a disk that is full: $name',
  ({ missing, name, outlives, start }) => {
    if (missing !== null) {
      // oxlint-disable-next-line jest/no-disabled-tests -- its title says what is missing
      it.skip(`${name}: ${missing}`, () => undefined);
      return;
    }
    let service: ServiceOnSmallDisk;
    let store: StoreClient;
    let unseen: StoreClient;
    let written: Acknowledged;
    let ended = false;

    beforeAll(async () => {
      service = await start();
      store = await StoreClient.create((call) => service.send(call), service.adminToken(), { apiKey: 'loja' });
      written = new Acknowledged(store, PADDING);
      await written.writeMany(10);
      // The ids of its filters are written by the first search.
      await search();
      unseen = await StoreClient.create((call) => service.send(call), service.adminToken(), { apiKey: 'nova' });
      await unseen.putMany([
        aProduct({ id: 'a', tags: many('tag'), specs: { Medida: many('medida') } }),
        aProduct({ id: 'b' }),
      ]);
    });
    afterAll(async () => {
      if (!ended) await service?.endAndLog();
    });

    const search = () =>
      store.send({ path: QUERIES, query: { terms: 'caneca', userId: 'ana' }, headers: store.headers });
    const ready = () => service.send({ path: '/health/ready' });
    const metric = async (metricName: string): Promise<string | undefined> =>
      new RegExp(`^${metricName} (\\S+)$`, 'm').exec((await service.send({ path: '/metrics' })).text)?.[1];

    it('refuses writes with 503 that says so, and goes on to search', async () => {
      await service.fill();
      await written.until(() => written.refused.length > 10);
      expect(written.wrong).toEqual([]);
      expect(written.refused.at(-1)?.json).toMatchObject({
        error: 'unavailable',
        message: 'The disk is full: try again later',
      });
      const found = await search();
      expect([found.status, Number(found.json['size']) > 0]).toEqual([200, true]);
    });

    it("answers a search without the filters whose ids it can't keep", async () => {
      const found = await unseen.send({ path: QUERIES, query: { terms: 'tenis' }, headers: unseen.headers });
      expect([found.status, found.json['size']]).toEqual([200, 2]);
      const filters = found.json['filters'] as { values: unknown[] }[];
      expect(filters.flatMap(({ values }) => values).length).toBeLessThan(2 * MANY);
    });

    it('is not ready, and says why', async () => {
      await promptly(async () => expect((await ready()).status).toBe(503));
      const { json } = await ready();
      expect(json).toMatchObject({
        status: 'unready',
        dependencies: { storage: 'down' },
        reasons: { storage: 'The disk is full' },
      });
      expect(await metric('database_up')).toBe('0');
    });

    it('takes writes again once there is room, by itself', async () => {
      await service.free();
      await eventually(async () => (await ready()).status === 200);
      expect(await metric('database_up')).toBe('1');
      const before = written.refused.length;
      await written.writeMany(10);
      expect(written.refused.length).toBe(before);
    });

    it('has lost nothing that it accepted, and logged one line when it began and one when it ended', async () => {
      expect(await written.missing()).toEqual([]);
      const restarted = await service.restart();
      if (restarted === null) ended = true;
      else expect(await written.missing()).toEqual([]);
      const log = restarted ?? (await service.endAndLog());
      expect(log.match(/takes no writes.*The disk is full/g)).toHaveLength(1);
      expect(log.match(/takes writes again/g)).toHaveLength(1);
    });

    if (!outlives) return;

    it('starts on a full disk', async () => {
      await service.fill();
      const before = written.refused.length;
      await written.until(() => written.refused.length > before);
      // It is there, and not ready until there is room.
      await Promise.all([service.restart(), sleep(FULL_FOR_MS).then(() => service.free())]);
      expect(await written.missing()).toEqual([]);
      expect(written.wrong).toEqual([]);
    });
  },
);
