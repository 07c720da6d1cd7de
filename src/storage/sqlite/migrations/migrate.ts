import type { SqliteDatabase } from '../sqlite';
import { catalogTables } from './catalog';
import { documentsTables } from './documents';
import { engineCompaction, engineIndices, engineSchema, engineTables } from './engine';
import { eventProof, eventSources, eventsTables, featureSnapshots, packedSnapshots } from './events';
import { jobAskers, jobCounts, jobsTables } from './jobs';
import { learningTables } from './learning';
import { profilesTables } from './profiles';
import { searchLogTables } from './search-log';
import { interactionArrivals, showcaseTables } from './showcase';
import { writeProbe } from './storage';
import { termContributions } from './terms';

/** Forward only; a released entry never changes. `user_version` is the number of entries applied. */
const migrations: readonly string[] = [
  [documentsTables, catalogTables, engineTables, eventsTables, profilesTables, learningTables, jobsTables].join('\n'),
  showcaseTables,
  eventSources,
  interactionArrivals,
  featureSnapshots,
  engineCompaction,
  termContributions,
  eventProof,
  writeProbe,
  engineSchema,
  searchLogTables,
  [jobAskers, engineIndices].join('\n'),
  jobCounts,
  packedSnapshots,
];

function versionOf(db: SqliteDatabase): number {
  return Number((db.prepare('PRAGMA user_version').raw().all() as number[][])[0]?.[0] ?? 0);
}

export function isMigrated(db: SqliteDatabase): boolean {
  return versionOf(db) === migrations.length;
}

/** Brings the file forward, in one transaction. A file written by a newer version is refused. */
export function migrate(db: SqliteDatabase): void {
  const version = versionOf(db);
  if (version > migrations.length) {
    throw new Error(
      `The data folder was written by a newer version (schema ${version}; this one knows ${migrations.length}). Start that version, or use another DATA_DIR.`,
    );
  }
  if (version === migrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of migrations.slice(version)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
