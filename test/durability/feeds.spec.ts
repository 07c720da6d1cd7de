import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliContext } from '../../src/cli/context';
import { makeProgram } from '../../src/cli/program';
import { SystemClock } from '../../src/shared/clock';
import { aProduct } from '../builders/a-product';
import { embeddedMode } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { type Json, must, StoreClient } from '../support/store-client';

/** Milliseconds for starts and kills of several processes, on a busy machine. */
const LONGEST_MS = 120_000;
/** Products of the first feed: a machine that is done with them before it can be killed gets twice as many. */
const PRODUCTS = 3000;

const place = embeddedMode.place();
let service: ServiceProcess;
let store: StoreClient;

beforeAll(async () => {
  service = await ServiceProcess.start(place.env);
  store = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
}, LONGEST_MS);
afterAll(async () => {
  await service.kill();
  await place.remove();
});

const feedOf = (count: number, price: number): string =>
  Array.from({ length: count }, (_, index) => JSON.stringify(aProduct({ id: `p${index}`, price }))).join('\n');

async function job(id: string): Promise<{ state: string; progress: { done: number }; attempts: number; result: Json }> {
  const headers = { authorization: `Bearer ${service.adminToken()}` };
  return must(await service.send({ path: `/admin/jobs/${id}`, headers }), 200) as never;
}

async function jobUntil(id: string, is: (found: Awaited<ReturnType<typeof job>>) => boolean) {
  for (;;) {
    const found = await job(id);
    if (is(found) || ['completed', 'failed'].includes(found.state)) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The id of an import whose process was killed in the middle, and how many products its feed has. */
async function killedImport(count: number): Promise<{ id: string; count: number }> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const call = { method: 'POST', path: '/imports', query: { mode: 'full' }, headers, body: feedOf(count, count) };
  const id = String(must(await store.admin(call), 202)['jobId']);
  const found = await jobUntil(id, ({ progress, attempts }) => attempts === 1 && progress.done >= 200);
  await service.kill();
  service = await ServiceProcess.start(place.env);
  store = store.through(service.send);
  return found.state === 'completed' ? killedImport(count * 2) : { id, count };
}

test(
  'an import whose process is killed goes on where it was, and is right to the product',
  async () => {
    const { id, count } = await killedImport(PRODUCTS);
    const { state, attempts, result } = await jobUntil(id, () => false);
    expect({ state, attempts }).toEqual({ state: 'completed', attempts: 2 });
    const { accepted, unchanged } = result as { accepted: number; unchanged: number };
    expect(accepted + unchanged).toBe(count);
    // A smaller feed may have been through before this one; whatever differed from it was written once.
    expect(result).toMatchObject({ accepted: count, removed: 0, rejected: 0 });
    for (const index of [0, 1, count / 2, count - 1]) {
      const { products } = await store.search({ pids: `p${index}`, productFormat: 'complete' });
      expect(products).toMatchObject([{ id: `p${index}`, price: count }]);
    }
  },
  LONGEST_MS,
);

test('the command line imports a file, says what became of it, and fails where the job fails', async () => {
  const file = join(String(place.env['DATA_DIR']), 'feed.ndjson');
  const env = { ...place.env, VITRINE_URL: `http://127.0.0.1:${service.port}` };
  let printed = '';
  const vitrine = async (...args: string[]): Promise<Json> => {
    printed = '';
    const program = makeProgram(new CliContext(env, new SystemClock(), (text) => (printed += text)));
    await program.exitOverride().parseAsync([...args, '--store', 'loja'], { from: 'user' });
    return JSON.parse(printed) as Json;
  };
  writeFileSync(file, JSON.stringify(aProduct({ id: 'cli' })));
  const done = await vitrine('catalog', 'import', file, '--mode', 'partial');
  expect(done).toMatchObject({ accepted: 1, rejected: 0 });
  await expect(vitrine('catalog', 'import', file, '--mode', 'full')).rejects.toThrow(
    /^The job failed: The feed lacks /,
  );
  expect(await vitrine('mapping', 'list')).toEqual({ mappings: [] });
  expect(await vitrine('feed', 'list')).toEqual({ feeds: [] });
  rmSync(file);
});
