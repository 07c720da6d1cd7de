import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aProduct } from '../builders/a-product';
import { CliContext } from '../../src/cli/context';
import { makeProgram } from '../../src/cli/program';
import { SystemClock } from '../../src/shared/clock';
import { ServiceProcess } from '../support/service-process';
import { type Json, StoreClient } from '../support/store-client';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-backup-'));
const dataDir = join(folder, 'data');
let service: ServiceProcess;
let store: StoreClient;

beforeAll(async () => {
  service = await ServiceProcess.start({ DATA_DIR: dataDir });
  store = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
  await store.putMany(Array.from({ length: 30 }, (_, index) => product(`p${index}`)));
  await store.buy({ userId: 'ana' }, ['p7', 'p9']);
});
afterAll(async () => {
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

const product = (id: string): Json => aProduct({ id, name: `Caneca ${id}` });

async function vitrine(env: Record<string, string>, ...args: string[]): Promise<string> {
  let printed = '';
  const program = makeProgram(new CliContext(env, new SystemClock(), (text) => (printed += text)));
  await program.exitOverride().parseAsync(args, { from: 'user' });
  return printed;
}

async function writeUntil(signal: AbortSignal): Promise<void> {
  for (let serial = 0; !signal.aborted; serial += 1) await store.put(product(`later-${serial}`));
}

/** What the service knows, whichever data folder it stands on. */
async function known(of: StoreClient): Promise<object> {
  const { weights } = await of.vector('users', 'ana');
  return {
    order: await of.order({ terms: 'caneca', userId: 'ana' }),
    features: (weights as Json[]).map(({ feature, sources }) => [feature, sources]),
    events: (await of.exported('ana')).filter(({ type }) => type === 'event').length,
  };
}

test('a backup of a service that is writing is a data folder with everything accepted before it', async () => {
  const before = await known(store);
  const copied = new AbortController();
  const writer = writeUntil(copied.signal);
  const target = join(folder, 'backups', 'monday');
  const printed = await vitrine({ DATA_DIR: dataDir }, 'backup', target);
  copied.abort();
  await writer;
  expect(JSON.parse(printed)).toEqual({ folder: target });
  expect(readdirSync(join(folder, 'backups'))).toEqual(['monday']);
  expect(readdirSync(target).sort()).toEqual(['secrets.json', 'vitrine.db']);
  for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);

  const restored = await ServiceProcess.start({ DATA_DIR: target });
  try {
    // The store's own keys open it, and tokens that the first one issued are good.
    const again = store.through(restored.send);
    const { order, ...rest } = (await known(again)) as { order: string[] };
    const { order: orderBefore, ...restBefore } = before as { order: string[] };
    expect(rest).toEqual(restBefore);
    expect(order.filter((id) => !id.startsWith('later-'))).toEqual(orderBefore);
  } finally {
    await restored.kill();
  }
});

test('a folder that is there, or a data folder without a database, is refused with one line', async () => {
  const taken = join(folder, 'taken');
  mkdirSync(taken);
  await expect(vitrine({ DATA_DIR: dataDir }, 'backup', taken)).rejects.toThrow(
    `${taken} exists already: a backup makes a new folder`,
  );
  const nowhere = join(folder, 'nowhere');
  await expect(vitrine({ DATA_DIR: nowhere }, 'backup', join(folder, 'new'))).rejects.toThrow(
    `There is no database in ${nowhere}`,
  );
  expect(existsSync(nowhere)).toBe(false);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
