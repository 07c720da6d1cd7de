import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../src/shared/clock';
import { commandModules } from '../../src/storage/sqlite/command-modules';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';

export interface BehaviourDatabase {
  database: EmbeddedDatabase;
  /** Closed and opened again. */
  reopen(): Promise<EmbeddedDatabase>;
  close(): Promise<void>;
}

/** A database in a folder of its own with what behaviour, showcases and jobs write. */
export async function behaviourDatabase(): Promise<BehaviourDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const modules = commandModules();
  let database = await EmbeddedDatabase.open(folder, modules);
  return {
    database,
    reopen: async () => {
      await database.close();
      database = await EmbeddedDatabase.open(folder, modules);
      return database;
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stands still until a test moves it. */
export class TestClock extends Clock {
  time = Date.UTC(2026, 0, 15, 12);

  override now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}
