import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { isMigrated } from '../../../../storage/sqlite/migrations/migrate';
import { openDatabase, type SqliteDatabase, Statements } from '../../../../storage/sqlite/sqlite';
import type { WordRequest } from '../../../search-engine';
import { servingIndex, writtenIndices } from '../index/index-versions';
import { Indexes } from '../index/indexes';
import { Searcher } from '../score/run-search';
import type { SentQuery } from '../score/sent-boosts';
import { GivenUp, goOnUntil, Turns } from './turns';

/** Answered for what goes on in another turn. */
const UNFINISHED = Symbol('unfinished');
const LOOK_EVERY_MS = 5;
const LONGEST_MIGRATION_MS = 60_000;

export interface SearchThreadSetup {
  path: string;
  /** Memory for the hits of queries that are asked again. */
  keptBytes: number;
}

export type SearchRequest =
  /** `index`: another one than the one that serves. */
  | { kind: 'search'; query: SentQuery; index?: string }
  | { kind: 'words'; store: string; words: WordRequest[]; index?: string }
  /** Brings every index of a store up to date before anyone asks, or one, which may have been removed. */
  | { kind: 'refresh'; store: string; index?: string }
  /** Answered when every store is loaded. */
  | { kind: 'ready' }
  | { kind: 'close' };

export interface SearchMessage {
  id: number;
  request: SearchRequest;
  /** Until when somebody waits for the answer, by `threadTime`; null: however long it takes. */
  until: number | null;
}

export interface SearchReply {
  /** 0: no answer. */
  id: number;
  /** Something for the log, asked for by nobody. */
  line?: string;
  value?: unknown;
  error?: string;
  /** Its time was over before the answer was there. */
  givenUp?: boolean;
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

/** What each request is answered, or UNFINISHED. */
function answering(sql: Statements, indexes: Indexes, keptBytes: number): (message: SearchMessage) => unknown {
  const searcher = new Searcher(keptBytes);
  return ({ request, until }) => {
    const goOn = goOnUntil(until);
    if (request.kind === 'search') {
      const name = request.index ?? servingIndex(sql, request.query.plan.store);
      return searcher.search(indexes.upToDate(name).index, request.query, goOn);
    }
    if (request.kind === 'words') {
      const { index, language } = indexes.upToDate(request.index ?? servingIndex(sql, request.store));
      goOn();
      return searcher.words(index, language, request.words);
    }
    if (request.kind === 'refresh') {
      const names = request.index === undefined ? writtenIndices(sql, request.store) : [request.index];
      if (names.some((name) => indexes.step(name))) return UNFINISHED;
    }
    return null;
  };
}

async function main(): Promise<void> {
  const { path, keptBytes } = workerData as SearchThreadSetup;
  const port = parentPort;
  if (!port) return;
  const sql = new Statements(await openMigrated(path));
  // Everything is read once, in order, so caching pages does not help.
  sql.exec('PRAGMA cache_size = -2000');
  const indexes = new Indexes(sql, path, (line) => port.postMessage({ id: 0, line } satisfies SearchReply));
  const answer = answering(sql, indexes, keptBytes);
  indexes.warm();
  /** Of the message that came last: several requests come in one. */
  const arrived: SearchMessage[] = [];
  const arrive = (messages: unknown): void => void arrived.push(...(messages as SearchMessage[]));
  let closing = false;
  let closed = false;
  const turns = new Turns<SearchMessage>({
    next: () => {
      if (arrived.length === 0) arrive(receiveMessageOnPort(port)?.message ?? []);
      return arrived.shift();
    },
    storeOf,
    work: (message) => {
      if (message.request.kind === 'close') {
        closing = true;
        return false;
      }
      const answered = reply(message, answer);
      if (answered.value === UNFINISHED) return true;
      port.postMessage(answered);
      return false;
    },
    idle: () => {
      if (!closing || closed) return;
      closed = true;
      indexes.close();
      sql.close();
      port.close();
    },
  });
  // What is asked meanwhile waits in the port.
  port.on('message', (messages: SearchMessage[]) => {
    // A closed port still hands over what had arrived.
    if (closed) return;
    arrive(messages);
    turns.go();
  });
}

function storeOf({ request }: SearchMessage): string {
  if (request.kind === 'search') return request.query.plan.store;
  return 'store' in request ? request.store : '';
}

function reply(message: SearchMessage, answer: (message: SearchMessage) => unknown): SearchReply {
  const { id } = message;
  try {
    return { id, value: answer(message) };
  } catch (error) {
    if (error instanceof GivenUp) return { id, givenUp: true };
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

if (!isMainThread) void main();
