import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandModules } from '../../src/storage/sqlite/command-modules';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { Storage } from '../../src/storage/storage';
import { embeddedMode } from './modes';
import { ServiceProcess } from './service-process';
import type { Send } from './store-client';
import { startWholeApp } from './whole-app';

/** An embedded service whose disk can be made full. */
export interface ServiceOnSmallDisk {
  send: Send;
  adminToken(): string;
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Everything it logged. Ends it for good. */
  endAndLog(): Promise<string>;
  /** Ends it as a power cut would, and starts it anew. Everything it logged; null where that can't be done. */
  restart(): Promise<string | null>;
}

export interface SmallDisk {
  name: string;
  /** Why it can't be had here; null: it can. */
  missing: string | null;
  /** Whether it is still there when the service is started anew. */
  outlives: boolean;
  start(): Promise<ServiceOnSmallDisk>;
}

type FillCommands = { 'test.fillDisk': () => void; 'test.freeDisk': () => void };

/** The whole service in this process; SQLite itself refuses pages. Needs no rights. */
export const limitedPages: SmallDisk = {
  name: 'a limit of pages',
  missing: null,
  outlives: false,
  start: async () => {
    const place = embeddedMode.place();
    const modules = [...commandModules(), join(__dirname, 'page-limit.commands.js')];
    const database = await EmbeddedDatabase.open(place.env['DATA_DIR'] ?? '', modules);
    const whole = await startWholeApp(embeddedMode, {
      place: { ...place, open: async () => Storage.embedded(database) },
      logLevel: 'warn',
    });
    const call = database.writer.calls<FillCommands>();
    return {
      send: whole.send,
      adminToken: () => whole.token(),
      fill: async () => void (await call('test.fillDisk', undefined)),
      free: async () => void (await call('test.freeDisk', undefined)),
      endAndLog: async () => {
        await whole.close();
        await place.remove();
        return whole.log();
      },
      restart: async () => null,
    };
  },
};

const MOUNT = ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs'];
const run = (command: string, ...args: string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function mountable(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  const mounted = run('mount', ...MOUNT, folder) && run('umount', folder);
  rmSync(folder, { recursive: true, force: true });
  return mounted;
}

/** The real service on a file system of its own, which a file of the test's fills to the last byte. */
export const smallFileSystem = (): SmallDisk => ({
  name: 'a file system of 32 MiB',
  missing: mountable() ? null : 'this user may not mount a tmpfs',
  outlives: true,
  start: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
    if (!run('mount', ...MOUNT, folder)) throw new Error('It can no longer be mounted');
    const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' };
    const ballast = join(folder, 'ballast');
    const remove = (): void => {
      run('umount', folder);
      rmSync(folder, { recursive: true, force: true });
    };
    let service = await ServiceProcess.start(env).catch((error: unknown) => {
      remove();
      throw error;
    });
    return {
      send: (call) => service.send(call),
      adminToken: () => service.adminToken(),
      fill: async () => fillUp(ballast),
      free: async () => rmSync(ballast, { force: true }),
      endAndLog: async () => {
        const { stdout } = await service.stop();
        remove();
        return stdout;
      },
      restart: async () => {
        const { stdout } = await service.killed();
        service = await ServiceProcess.start(env);
        return stdout;
      },
    };
  },
});

function fillUp(ballast: string): void {
  for (const size of [2 ** 20, 2 ** 12]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    }
  }
}
