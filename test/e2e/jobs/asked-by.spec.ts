import { describeModes } from '../../support/modes';
import { type Json, must } from '../../support/store-client';
import { knownRoutes, validRequest } from '../../support/valid-requests';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const ERASURE = 'DELETE /admin/stores/:apiKey';
const names = { apiKey: 'loja', jobId: 'j' };
const beginsAJob = (route: string): boolean =>
  route.includes(' /admin/') && route !== ERASURE && validRequest(route, names).status === 202;
/** The one last after which the store is gone. */
const routes = [...knownRoutes.filter(beginsAJob), ERASURE];

describeModes((mode) => {
  describe('a job that somebody asked for', () => {
    let service: WholeApp;

    beforeAll(async () => {
      service = await startWholeApp(mode);
      await service.store('loja');
      const feed = { url: 'https://feeds.invalid/feed.csv', mode: 'partial', every: '1d' };
      const webhooks = [{ id: 'w', url: 'https://hooks.invalid/', events: ['import.ended'] }];
      must(await asAdmin({ method: 'PUT', path: '/admin/stores/loja/feeds/f', body: feed }), 200);
      must(await asAdmin({ method: 'PUT', path: '/admin/stores/loja/webhooks', body: { webhooks } }), 200);
    });
    afterAll(() => service.close());

    const asAdmin = (call: { method?: string; path: string; body?: unknown; headers?: Record<string, string> }) =>
      service.send({ ...call, headers: { ...call.headers, authorization: `Bearer ${service.token()}` } });
    const job = async (id: unknown): Promise<Json> => must(await asAdmin({ path: `/admin/jobs/${String(id)}` }), 200);

    test.each([
      ...['/admin/stores/loja/feeds/f/run', '/admin/stores/loja/webhooks/w/test'].map((path) => ({
        name: path,
        call: { method: 'POST', path },
      })),
      ...routes.map((name) => ({ name, call: validRequest(name, names).call })),
    ])('by $name names them', async ({ call }) => {
      const { jobId } = must(await asAdmin(call), 202);
      expect(await job(jobId)).toMatchObject({ askedBy: expect.stringMatching(/^ops:[0-9a-f-]{36}$/) });
    });

    test('is told from one of the service itself', async () => {
      const jobs = async (query: string): Promise<Json[]> =>
        must(await asAdmin({ path: `/admin/jobs${query}` }), 200)['jobs'] as Json[];
      expect((await jobs('')).some((one) => 'askedBy' in one)).toBe(true);
      const own = await jobs('?kind=catalog.health-daily');
      expect(own.length).toBeGreaterThan(0);
      expect(own.every((one) => !('askedBy' in one))).toBe(true);
    });
  });
});
