import { ApiError } from '../../shared/api-error';
import { HealthServer } from './health-server';
import { Metrics } from './metrics';
import type { Readiness } from './readiness';

describe('a worker', () => {
  const metrics = new Metrics();
  let down = false;
  const report = async (): Promise<object> => {
    if (down) throw new ApiError('unavailable', 'A dependency is down', { extra: { status: 'unready' } });
    return { status: 'ready' };
  };
  const server = new HealthServer({ report } as unknown as Readiness, metrics);
  let base: string;

  beforeAll(async () => {
    base = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  });
  afterAll(() => {
    server.close();
    metrics.onModuleDestroy();
  });

  test.each([
    ['/health/live', 200, { status: 'live' }],
    ['/health/ready?x', 200, { status: 'ready' }],
    ['/elsewhere', 404, { code: 404, error: 'unknown_route', requestId: 'mine' }],
  ])('%s: %i, with the request’s id', async (path, status, body) => {
    const reply = await fetch(base + path, { headers: { 'x-request-id': 'mine' } });
    expect([reply.status, reply.headers.get('x-request-id')]).toEqual([status, 'mine']);
    expect(await reply.json()).toMatchObject(body);
  });

  test('says that it is not ready in the shape of every failure', async () => {
    down = true;
    const reply = await fetch(`${base}/health/ready`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    const requestId = reply.headers.get('x-request-id');
    expect(await reply.json()).toMatchObject({ code: 503, error: 'unavailable', status: 'unready', requestId });
  });
});
