import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { isMigrated } from '../../../../storage/sqlite/migrations/migrate';
import { openDatabase, type SqliteDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import type { WordRequest } from '../../../search-engine';
import { Indexes } from '../index/indexes';
import { Searcher } from '../score/run-search';
import type { SentQuery } from '../score/sent-boosts';

const LOOK_EVERY_MS = 5;
const LONGEST_MIGRATION_MS = 60_000;

export type SearchRequest =
  | { kind: 'search'; query: SentQuery }
  | { kind: 'words'; store: string; words: WordRequest[] }
  /** Brings a store up to date before anyone asks. */
  | { kind: 'refresh'; store: string }
  /** Answered when every store is loaded. */
  | { kind: 'ready' }
  | { kind: 'close' };

export interface SearchMessage {
  id: number;
  request: SearchRequest;
}

export interface SearchReply {
  id: number;
  value?: unknown;
  error?: string;
}

/** Until the writer has made the tables, or brought them up to date. */
async function openMigrated(path: string): Promise<SqliteDatabase> {
  for (let waited = 0; waited < LONGEST_MIGRATION_MS; waited += LOOK_EVERY_MS) {
    if (existsSync(path)) {
      const db = openDatabase(path, { readonly: true });
      if (isMigrated(db)) return db;
      db.close();
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('The database was not made ready');
}

async function main(): Promise<void> {
  const { path } = workerData as { path: string };
  const sql = new Statements(await openMigrated(path));
  // Everything is read once, in order, so caching pages does not help.
  sql.exec('PRAGMA cache_size = -2000');
  const indexes = new Indexes(sql, path);
  const searcher = new Searcher();
  const answer = (request: SearchRequest): unknown => {
    if (request.kind === 'search') {
      return searcher.search(indexes.upToDate(request.query.plan.store).index, request.query);
    }
    if (request.kind === 'words') {
      const { index, language } = indexes.upToDate(request.store);
      return searcher.words(index, language, request.words);
    }
    if (request.kind === 'refresh') indexes.upToDate(request.store);
    return null;
  };
  indexes.warm();
  // What is asked meanwhile waits in the port.
  parentPort?.on('message', ({ id, request }: SearchMessage) => {
    if (request.kind === 'close') {
      indexes.close();
      sql.db.close();
      parentPort?.close();
      return;
    }
    try {
      parentPort?.postMessage({ id, value: answer(request) } satisfies SearchReply);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ id, error: message } satisfies SearchReply);
    }
  });
}

if (!isMainThread) void main();
