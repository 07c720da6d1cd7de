import { describeModes } from '../../support/modes';
import { type Json, must } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** A look at every store; it does little where there is none. */
const KIND = 'catalog.health-daily';

describeModes((mode) => {
  describe('schedules', () => {
    let service: WholeApp;
    let headers: Record<string, string>;

    beforeAll(async () => {
      service = await startWholeApp(mode);
      headers = { authorization: `Bearer ${service.token()}` };
    });
    afterAll(() => service.close());

    const step = (kind: string, name: string) =>
      service.send({ method: 'POST', path: `/admin/schedules/${kind}/${name}`, headers });
    const listed = async (): Promise<Json[]> => {
      const reply = must(await service.send({ path: '/admin/schedules', headers }), 200);
      return reply['schedules'] as Json[];
    };
    const shown = async (): Promise<Json | undefined> => (await listed()).find(({ kind }) => kind === KIND);
    const ended = async (id: string): Promise<Json> => {
      for (;;) {
        const job = must(await service.send({ path: `/admin/jobs/${id}`, headers }), 200);
        if (['completed', 'failed', 'cancelled'].includes(String(job['state']))) return job;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    test('are listed by kind, with how often they come', async () => {
      const all = await listed();
      const kinds = all.map(({ kind }) => String(kind));
      expect(kinds).toEqual(kinds.toSorted());
      expect(kinds).toEqual(expect.arrayContaining([KIND, 'catalog.feeds']));
      expect(await shown()).toMatchObject({ everySeconds: 86_400, paused: false });
    });

    test('are paused, run all the same when somebody asks, and resumed', async () => {
      expect(must(await step(KIND, 'pause'), 200)).toMatchObject({ kind: KIND, paused: true });
      expect(await shown()).toMatchObject({ paused: true });
      // On a busy machine the first period may have begun before the pause.
      service.clock.advance(1);
      const { jobId } = must(await step(KIND, 'run'), 202);
      expect(await ended(String(jobId))).toMatchObject({
        kind: KIND,
        store: null,
        state: 'completed',
        askedBy: expect.stringMatching(/^ops:/),
      });
      expect(await shown()).toMatchObject({ paused: true, last: { id: jobId, state: 'completed' } });
      expect(must(await step(KIND, 'resume'), 200)).toMatchObject({ kind: KIND, paused: false });
      expect(await shown()).toMatchObject({ paused: false });
      // Once more changes nothing.
      expect(must(await step(KIND, 'resume'), 200)).toMatchObject({ paused: false });
    });

    test('that nobody knows, or callers who may only look, are refused', async () => {
      for (const name of ['pause', 'resume', 'run']) {
        expect((await step('no.such', name)).json).toMatchObject({ error: 'not_found' });
      }
      headers = { authorization: `Bearer ${service.token('relevance')}` };
      expect((await listed()).length).toBeGreaterThan(0);
      for (const name of ['pause', 'resume', 'run']) expect((await step(KIND, name)).status).toBe(403);
      headers = { authorization: `Bearer ${service.token()}` };
    });
  });
});
