import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CliContext } from '../../src/cli/context';
import { makeProgram } from '../../src/cli/program';
import { SystemClock } from '../../src/shared/clock';
import { type Acknowledged, AcknowledgedLoad } from '../support/acknowledged-load';
import { describeModes, embeddedMode, type Mode, type Place } from '../support/modes';
import { ServiceProcess } from '../support/service-process';
import { patient, StoreClient } from '../support/store-client';

type Environment = Record<string, string>;

const UNDER_LOAD = 300;
const folder = mkdtempSync(join(tmpdir(), 'vitrine-drill-'));
const file = (name: string): string => join(folder, name);

jest.setTimeout(300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function vitrine(env: Environment, ...args: string[]): Promise<void> {
  const program = makeProgram(new CliContext(env, new SystemClock(), () => undefined));
  await program.exitOverride().parseAsync(args, { from: 'user' });
}

/** As somebody writes them down who restores elsewhere. */
function secretsOf({ ADMIN_SECRET, LINK_SECRET, DATA_DIR = '' }: Environment): Environment {
  if (ADMIN_SECRET && LINK_SECRET) return { ADMIN_SECRET, LINK_SECRET };
  const { adminSecret, linkSecret } = JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8')) as {
    adminSecret: string[];
    linkSecret: string[];
  };
  return { ADMIN_SECRET: adminSecret.join(','), LINK_SECRET: linkSecret.join(',') };
}

describeModes((mode) => {
  let place: Place;
  let store: StoreClient;
  let load: AcknowledgedLoad;
  const elsewhere: Place[] = [];

  afterAll(async () => {
    for (const other of [...elsewhere, place]) await other.remove();
  });

  /** Starts a service on what was restored, and compares it with what the first one had answered. */
  async function faultsIn(env: Environment, acknowledged: Acknowledged): Promise<string[]> {
    const restored = await ServiceProcess.start({ ...env, TRUST_PROXY: '1' });
    try {
      return await load.faults(store.through(patient(restored.send)), acknowledged);
    } finally {
      await restored.stop();
    }
  }

  async function importedInto(other: Mode, exported: string): Promise<Environment> {
    const target = other.place();
    elsewhere.push(target);
    const env = { ...target.env, ...secretsOf(place.env) };
    await vitrine(env, 'import', exported);
    return env;
  }

  it('what was acknowledged before a backup or an export is there where that is restored, one by one', async () => {
    place = mode.place();
    const service = await ServiceProcess.start({ ...place.env, TRUST_PROXY: '1' });
    const stop = new AbortController();
    store = await StoreClient.create(patient(service.send), service.adminToken(), { apiKey: 'loja' });
    load = await AcknowledgedLoad.on(store);
    const failures: unknown[] = [];
    const running = load.run(stop.signal).catch((error: unknown) => failures.push(error));
    const loaded = async (): Promise<void> => {
      for (const enough = load.size + UNDER_LOAD; load.size < enough && failures.length === 0;) await wait(50);
    };
    await loaded();
    const before = load.now();
    // Of a service that writes there is no export, only a backup.
    await expect(vitrine(place.env, 'export', file('never.gz'))).rejects.toThrow('Something was written meanwhile');
    if (mode.name === 'embedded') await vitrine(place.env, 'backup', file('backup'));
    await loaded();
    stop.abort();
    await running;
    expect(failures).toEqual([]);
    const all = load.now();
    expect([before.events.size, before.products.size, before.clicks.length].every((count) => count > 0)).toBe(true);
    expect(all.events.size).toBeGreaterThan(before.events.size);
    // What was answered is kept, however the service ends.
    await (mode.name === 'embedded' ? service.kill() : service.stop());

    if (mode.name === 'embedded') {
      await vitrine({ DATA_DIR: file('backup') }, 'export', file('of-backup.gz'));
      expect(await faultsIn(await importedInto(embeddedMode, file('of-backup.gz')), before)).toEqual([]);
      expect(await faultsIn({ DATA_DIR: file('backup') }, before)).toEqual([]);
    }
    await vitrine(place.env, 'export', file(`${mode.name}.gz`));
    expect(await faultsIn(await importedInto(embeddedMode, file(`${mode.name}.gz`)), all)).toEqual([]);
    if (mode.name === 'production') {
      expect(await faultsIn(await importedInto(mode, file('production.gz')), all)).toEqual([]);
    }
  });
});
