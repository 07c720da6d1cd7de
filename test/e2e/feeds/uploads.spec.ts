import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AdminClient } from '../../../src/cli/admin-client';
import { uploadInPieces } from '../../../src/cli/operations/upload-in-pieces';
import { ImportFiles } from '../../../src/jobs/imports/import-files';
import { JobQueue } from '../../../src/jobs/job-queue';
import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { type Json, must } from '../../support/store-client';
import { FeedShop, ndjson } from './support';

const DAY = 86_400_000;
const octets = { 'content-type': 'application/octet-stream' };

describeModes((mode) => {
  let shop: FeedShop;
  let folder: string;
  beforeAll(async () => {
    shop = await FeedShop.start(mode);
    folder = mkdtempSync(join(tmpdir(), 'vitrine-uploads-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await shop.close();
  });

  const call = async (method: string, path: string, body?: Json): Promise<Json> => {
    const reply = await shop.store.admin({ method, path, ...(body ? { body } : {}) });
    return { status: reply.status, ...reply.json };
  };
  const begin = async (): Promise<string> => {
    const begun = await call('POST', '/uploads', { of: 'a feed' });
    expect(begun).toMatchObject({ status: 201, of: 'a feed', bytes: 0 });
    return String(begun['id']);
  };
  const piece = async (id: string, from: number | string, body: Buffer | string): Promise<Json> => {
    const path = `/uploads/${id}`;
    const reply = await shop.store.admin({ method: 'PUT', path, query: { from: String(from) }, body, headers: octets });
    return { status: reply.status, ...reply.json };
  };
  const importing = (id: string, more = ''): Promise<Json> => call('POST', `/imports?mode=full&upload=${id}${more}`);
  const imported = async (id: string, more = ''): Promise<Json> =>
    shop.ended(String((await importing(id, more))['jobId']));

  test('a packed feed comes in pieces of any size, is tried, imported once, and is gone then', async () => {
    const feed = gzipSync(ndjson(['u1', 'u2', 'u3'].map((id) => aProduct({ id }))));
    const id = await begin();
    const cuts = [0, 1, 10, 100, feed.length];
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[index + 1] ?? feed.length;
      expect(await piece(id, from, feed.subarray(from, to))).toMatchObject({ status: 200, bytes: to });
    }
    expect(await call('GET', '/uploads')).toMatchObject({ uploads: [{ id, bytes: feed.length }] });
    const tried = await imported(id, '&dryRun=true');
    expect(tried['result']).toMatchObject({
      accepted: 3,
      samples: { added: [{ id: 'u1' }, { id: 'u2' }, { id: 'u3' }] },
    });
    const [first, again] = [await importing(id), await importing(id)];
    expect(first['status']).toBe(202);
    expect([first['jobId'], 409]).toContain(again['jobId'] ?? again['status']);
    expect((await shop.ended(String(first['jobId'])))['result']).toMatchObject({ accepted: 3 });
    expect(await shop.store.order({ pids: ['u1', 'u2', 'u3'] })).toEqual(['u1', 'u2', 'u3']);
    const late = await importing(id);
    expect(late).toMatchObject({ status: 409, message: expect.stringContaining(String(first['jobId'])) as string });
    expect(await piece(id, feed.length, 'more')).toMatchObject({ status: 409 });
    const files = shop.app.app.get(ImportFiles, { strict: false });
    expect(await files.expire(Number.MAX_SAFE_INTEGER)).toBe(0);
    expect(await call('DELETE', `/uploads/${id}`)).toMatchObject({ status: 204 });
    expect(await call('GET', `/uploads/${id}`)).toMatchObject({ status: 404 });
  });

  test('a piece in the wrong place, or none, is refused and says where to go on', async () => {
    const id = await begin();
    expect(await piece(id, 0, '{"id":"x"')).toMatchObject({ bytes: 9 });
    expect(await piece(id, 0, '{"id":"x"')).toMatchObject({
      status: 409,
      error: 'conflict',
      message: `The upload "${id}" has 9 bytes: the next piece has to come with from=9`,
    });
    expect(await piece(id, '-1', 'x')).toMatchObject({ status: 400, error: 'invalid_parameter' });
    expect(await call('PUT', `/uploads/${id}?from=9`)).toMatchObject({ status: 400, error: 'invalid_body' });
    expect(await piece('none', 0, 'x')).toMatchObject({ status: 404 });
    const both = await Promise.all([piece(id, 9, '}'), piece(id, 9, '}')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await call('GET', `/uploads/${id}`)).toMatchObject({ bytes: 10 });
    await call('DELETE', `/uploads/${id}`);
    const files = shop.app.app.get(ImportFiles, { strict: false });
    expect(await files.expire(Number.MAX_SAFE_INTEGER)).toBe(0);
  });

  test('what was refused is sent to its end, or imported in another way, without being sent again', async () => {
    await shop.imported(ndjson(['a', 'b', 'c'].map((id) => aProduct({ id }))), { mode: 'full', force: 'true' });
    const id = await begin();
    expect(await importing(id)).toMatchObject({ status: 400, message: expect.stringContaining('Nothing') as string });
    const feed = Buffer.from(JSON.stringify([aProduct({ id: 'a', price: 3 })]));
    await piece(id, 0, feed.subarray(0, -1));
    expect(await imported(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('cut off') as string });
    expect(await piece(id, feed.length - 1, ']')).toMatchObject({ status: 200, bytes: feed.length });
    expect(await imported(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('lacks 2') as string });
    const { state, result } = await imported(id, '&force=true');
    expect({ state, result }).toMatchObject({ state: 'completed', result: { accepted: 1, removed: 2 } });
    const withBody = await shop.staged('x', { upload: id }).catch((error: Error) => error.message);
    expect(withBody).toContain('send no body');
    await call('DELETE', `/uploads/${id}`);
  });

  test('a store has so many at a time, and those that were imported are not in the way', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await begin());
    const refused = { status: 409, message: expect.stringContaining('at most 20 uploads') as string };
    expect(await call('POST', '/uploads', {})).toMatchObject(refused);
    const [first = ''] = ids;
    await piece(first, 0, JSON.stringify(aProduct({ id: 'a', price: 5 })));
    expect(await imported(first, '&force=true')).toMatchObject({ state: 'completed' });
    ids.push(await begin());
    expect(await call('GET', `/uploads/${first}`)).toMatchObject({ status: 404 });
    expect(await call('POST', '/uploads', {})).toMatchObject(refused);
    for (const id of ids.slice(1)) await call('DELETE', `/uploads/${id}`);
  });

  test('an upload that nobody went on with is forgotten after a week, with its pieces', async () => {
    const id = await begin();
    await piece(id, 0, 'id,name');
    const expire = async (): Promise<unknown> => {
      const job = { kind: 'catalog.uploads', store: '*', key: 'test', payload: null };
      return (await shop.ended(await shop.app.app.get(JobQueue, { strict: false }).enqueue(job)))['result'];
    };
    shop.app.clock.advance(6 * DAY);
    expect(await expire()).toEqual({ uploads: 0 });
    await piece(id, 7, '\n');
    shop.app.clock.advance(6 * DAY);
    expect(await expire()).toEqual({ uploads: 0 });
    shop.app.clock.advance(2 * DAY);
    expect(await expire()).toEqual({ uploads: 1 });
    expect(await call('GET', `/uploads/${id}`)).toMatchObject({ status: 404 });
    const files = shop.app.app.get(ImportFiles, { strict: false });
    expect(await files.expire(Number.MAX_SAFE_INTEGER)).toBe(0);
  });

  describe('from the command line', () => {
    let proxy: Server;
    let broken: number;
    let puts: number;
    /** Connections that break: the first of them before the piece is there, every other one after it was taken. */
    beforeAll(async () => {
      await shop.app.app.listen(0, '127.0.0.1');
      const { port } = shop.app.app.getHttpServer().address() as AddressInfo;
      proxy = createServer((incoming, response) => {
        const isPiece = incoming.method === 'PUT';
        puts += isPiece ? 1 : 0;
        if (isPiece && broken > 0 && puts === 1) return void incoming.socket.destroy();
        const { method, url, headers } = incoming;
        const outgoing = request({ port, method, path: url, headers }, (reply) => {
          if (isPiece && broken > 0) {
            broken -= 1;
            reply.resume().once('end', () => incoming.socket.destroy());
            return;
          }
          response.writeHead(reply.statusCode ?? 0, reply.headers);
          reply.pipe(response);
        });
        incoming.pipe(outgoing);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });
    beforeEach(() => {
      broken = 0;
      puts = 0;
    });
    afterAll(() => {
      proxy.close();
      proxy.closeAllConnections();
    });
    const client = (): AdminClient =>
      new AdminClient(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, () => shop.app.token());
    const uploads = '/admin/stores/feeds/uploads';

    test('a file goes on where its connection broke, byte for byte', async () => {
      const file = join(folder, 'feed.ndjson');
      writeFileSync(file, ndjson(Array.from({ length: 50 }, (_, index) => aProduct({ id: `cli${index}` }))));
      broken = 2;
      const id = await uploadInPieces(client(), uploads, file, { piece: 5000 });
      expect(broken).toBe(0);
      expect((await imported(id, '&force=true'))['result']).toMatchObject({ accepted: 50, rejected: 0 });
    });

    test('an upload is gone on with by its id, unless the file has changed', async () => {
      const file = join(folder, 'more.ndjson');
      const feed = Buffer.from(ndjson([aProduct({ id: 'cli0', price: 4 }), aProduct({ id: 'cli1', price: 4 })]));
      writeFileSync(file, feed);
      const whole = await uploadInPieces(client(), uploads, file, { piece: 100 });
      const { of } = await call('GET', `/uploads/${whole}`);
      const { id } = must(await shop.store.admin({ method: 'POST', path: '/uploads', body: { of } }), 201);
      await piece(String(id), 0, feed.subarray(0, 100));
      puts = 0;
      expect(await uploadInPieces(client(), uploads, file, { piece: 100, resume: String(id) })).toBe(id);
      expect(puts).toBe(Math.ceil((feed.length - 100) / 100));
      expect((await imported(String(id), '&force=true'))['result']).toMatchObject({ accepted: 2, rejected: 0 });
      utimesSync(file, new Date(0), new Date(0));
      const other = uploadInPieces(client(), uploads, file, { piece: 100, resume: whole });
      await expect(other).rejects.toThrow('the file has changed since');
    });
  });
});
