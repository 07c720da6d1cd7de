import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../src/shared/clock';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';

const commands = (folder: string, name: string): string => compiled(`${folder}/adapters/embedded/${name}.commands`);

export interface BehaviourDatabase {
  database: EmbeddedDatabase;
  /** Closed and opened again. */
  reopen(): Promise<EmbeddedDatabase>;
  close(): Promise<void>;
}

/** A database in a folder of its own with what behaviour, showcases and jobs write. */
export async function behaviourDatabase(): Promise<BehaviourDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  const modules = [
    commands('documents', 'documents'),
    commands('jobs', 'jobs'),
    commands('catalog', 'catalog-records'),
    commands('behaviour/events', 'event-log'),
    commands('behaviour/profiles', 'profiles'),
    commands('behaviour/learning', 'learned-stats'),
    commands('showcase/clicks', 'click-ledger'),
  ];
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
