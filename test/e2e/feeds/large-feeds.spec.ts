import { setTimeout as sleep } from 'node:timers/promises';
import { BenchCatalog } from '../../../bench/data/catalog';
import { RUN_AS } from '../../../bench/service-process';
import { feedFormats, feedOf, type FeedFormat } from '../../../bench/data/feeds';
import { describeModes, type Place } from '../../support/modes';
import { ServiceProcess } from '../../support/service-process';
import { type Json, must, patient, StoreClient } from '../../support/store-client';

/** More of them: `MEGABYTES=300 npm test -- test/e2e/feeds/large-feeds`. A feed that was held would cost more than its own size. */
const MEGABYTES = Number(process.env['MEGABYTES'] ?? 40);
const FORMATS: readonly FeedFormat[] = process.env['MEGABYTES'] === undefined ? ['json'] : feedFormats;
/** Bytes of a line as JSON. */
const A_LINE = 780;
/** MiB above the service at rest. */
const MOST = 60;
const LONGEST_MS = 180_000 + MEGABYTES * 5000;
const LOOK_EVERY_MS = 50;
/** What the start has used is given back by then. */
const SETTLED_MS = 3000;

describeModes((mode) => {
  describe(`a feed of ${MEGABYTES} MB that is sent in one body and read to its end`, () => {
    const lines = Math.round((MEGABYTES * 1_000_000) / A_LINE);
    let place: Place;
    let service: ServiceProcess;
    let store: StoreClient;
    let atRest: number | null;

    beforeAll(async () => {
      place = mode.place();
      service = await ServiceProcess.start({ ...place.env, ...RUN_AS });
      store = await StoreClient.create(patient(service.send), service.adminToken(), { apiKey: 'large' });
      await sleep(SETTLED_MS);
      atRest = service.memory();
    }, LONGEST_MS);
    afterAll(async () => {
      await service.kill();
      await place.remove();
    });

    /** The job once it has ended, and the most memory the service had meanwhile. */
    async function tried(format: FeedFormat): Promise<{ job: Json; most: number }> {
      const body = Buffer.from([...feedOf(new BenchCatalog(lines), format, { lines })].join(''));
      const headers = { 'content-type': 'application/octet-stream' };
      const query = { mode: 'full', dryRun: 'true', format };
      let most = 0;
      const looking = setInterval(() => (most = Math.max(most, service.memory() ?? 0)), LOOK_EVERY_MS);
      try {
        const call = { method: 'POST', path: '/imports', query, headers, body };
        const jobId = String(must(await store.admin(call), 202)['jobId']);
        for (;;) {
          const job = await jobOf(jobId);
          if (['completed', 'failed', 'cancelled'].includes(String(job['state']))) return { job, most };
          await sleep(LOOK_EVERY_MS * 10);
        }
      } finally {
        clearInterval(looking);
      }
    }

    async function jobOf(id: string): Promise<Json> {
      const headers = { authorization: `Bearer ${service.adminToken()}` };
      return must(await patient(service.send)({ path: `/admin/jobs/${id}`, headers }), 200);
    }

    it.each(FORMATS)(
      'takes no more memory than a small one: %s',
      async (format) => {
        const { job, most } = await tried(format);
        expect(job).toMatchObject({ state: 'completed', result: { accepted: lines, rejected: 0 } });
        // Where the system does not tell, that it was read is all that can be said.
        if (atRest === null) return;
        if (process.env['MEGABYTES'] !== undefined) {
          const shown = `${atRest.toFixed(0)} MiB at rest, ${most.toFixed(0)} at the most`;
          process.stderr.write(`${mode.name}, ${lines} lines of ${format}: ${shown}\n`);
        }
        expect(most).toBeGreaterThan(0);
        expect(most - atRest).toBeLessThan(MOST);
      },
      LONGEST_MS,
    );
  });
});
