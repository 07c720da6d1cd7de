import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JobQueue } from '../../../src/jobs/job-queue';
import { describeModes } from '../../support/modes';
import { must } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const OWN = { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin', 'x-vitrine-console': '1' };

describeModes((mode) => {
  let service: WholeApp;
  let address: string;
  beforeAll(async () => {
    service = await startWholeApp(mode);
    await service.app.listen(0, '127.0.0.1');
    const { port } = (service.app.getHttpServer() as Server).address() as AddressInfo;
    address = `http://127.0.0.1:${port}`;
  });
  afterAll(() => service.close());

  /** Of a job that nobody does, so that it stays open; resolves once the first event has come. */
  async function watched(headers: Record<string, string>): Promise<{ rest: Promise<string> }> {
    const jobs = service.app.get(JobQueue, { strict: false });
    const id = await jobs.enqueue({ kind: 'test.nobody', store: '*', payload: {}, attempts: 1 });
    const reply = await fetch(`${address}/admin/jobs/${id}/events`, { headers });
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: job')) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`${reply.status} ${text}`);
      text += value;
    }
    const toItsEnd = async (): Promise<string> => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
      return text;
    };
    return { rest: toItsEnd() };
  }

  async function signedIn(token: string): Promise<string> {
    const reply = await service.send({ method: 'POST', path: '/console/session', headers: OWN, body: { token } });
    must(reply, 200);
    return String(reply.headers['set-cookie']).split(';')[0] ?? '';
  }

  test('a job that is watched is told no more to who has signed out', async () => {
    const cookie = await signedIn(service.token());
    const stream = await watched({ cookie });
    must(await service.send({ method: 'DELETE', path: '/console/session', headers: { ...OWN, cookie } }), 204);
    expect(await stream.rest).not.toContain('event: end');
  });

  test('nor to whose token was revoked, nor for longer than a session lasts', async () => {
    const token = service.token();
    const cookie = await signedIn(service.token());
    const [byToken, bySession] = await Promise.all([
      watched({ authorization: `Bearer ${token}` }),
      watched({ cookie }),
    ]);
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string };
    const headers = { authorization: `Bearer ${service.token()}` };
    must(await service.send({ method: 'DELETE', path: `/admin/tokens/${jti}`, headers }), 204);
    expect(await byToken.rest).not.toContain('event: end');
    // A stream that is open keeps no session alive.
    service.clock.advance(3_600_000);
    expect(await bySession.rest).not.toContain('event: end');
  });
});
