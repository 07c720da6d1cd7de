import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { aProduct } from '../../builders/a-product';
import { embeddedMode } from '../../support/modes';
import { ServiceProcess } from '../../support/service-process';
import { StoreClient } from '../../support/store-client';

// How a process ends is the same whatever it keeps things in; the contract of jobs says that they are handed back.
describe('stopping a service', () => {
  test('requests in flight finish, what comes meanwhile is sent elsewhere, and the process ends well', async () => {
    const place = embeddedMode.place();
    const service = await ServiceProcess.start(place.env);
    const loja = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
    const upload = request({
      host: '127.0.0.1',
      port: service.port,
      method: 'POST',
      path: '/v7/products',
      headers: { ...loja.headers, 'content-type': 'application/x-ndjson' },
    });
    upload.write(`${JSON.stringify(aProduct({ id: 'first' }))}\n`);
    await wait(300);
    const ended = service.stop();
    await wait(300);
    upload.end(`${JSON.stringify(aProduct({ id: 'second' }))}\n`);
    const [reply] = (await once(upload, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of reply) text += String(chunk);
    expect([reply.statusCode, text]).toEqual([200, JSON.stringify({ accepted: 2, rejected: [] })]);
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' });

    const again = await ServiceProcess.start(place.env);
    const there = loja.through(again.send);
    expect(await there.order({ pids: ['first', 'second'] })).toEqual(['first', 'second']);
    expect((await again.stop()).code).toBe(0);
    await place.remove();
  });
});
