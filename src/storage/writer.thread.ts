import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { migrate } from './migrations/migrate';
import type { Procedure, ProcedureModule } from './procedures';
import { openDatabase, Statements } from './sqlite';

export interface WriterSetup {
  path: string;
  /** Absolute paths of compiled modules that export `procedures`. */
  modules: string[];
}

export interface WriterMessage {
  calls: { id: number; name: string; input: unknown }[];
  close?: boolean;
}

export interface WriterReply {
  results: { id: number; value?: unknown; error?: { name: string; message: string; code?: string } }[];
}

/** Runs gathered calls in one transaction, each behind a savepoint. */
function runBatch(sql: Statements, procedures: Map<string, Procedure>, message: WriterMessage): WriterReply['results'] {
  const results: WriterReply['results'] = [];
  sql.run('BEGIN IMMEDIATE');
  try {
    for (const { id, name, input } of message.calls) {
      sql.run('SAVEPOINT one');
      try {
        const procedure = procedures.get(name);
        if (!procedure) throw new Error(`Unknown procedure ${name}`);
        results.push({ id, value: procedure(sql, input as never) });
      } catch (error) {
        sql.run('ROLLBACK TO one');
        results.push({ id, error: describe(error) });
      }
      sql.run('RELEASE one');
    }
    sql.run('COMMIT');
    return results;
  } catch (error) {
    if (sql.db.inTransaction) sql.exec('ROLLBACK');
    return message.calls.map(({ id }) => ({ id, error: describe(error) }));
  }
}

function describe(error: unknown): { name: string; message: string; code?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const code = (error as { code?: unknown }).code;
  return { name: error.name, message: error.message, ...(typeof code === 'string' ? { code } : {}) };
}

function main(): void {
  const setup = workerData as WriterSetup;
  const db = openDatabase(setup.path);
  migrate(db);
  const sql = new Statements(db);
  const procedures = new Map<string, Procedure>([['storage.flush', (): null => null]]);
  for (const path of setup.modules) {
    const loaded = require(path) as ProcedureModule;
    for (const [name, procedure] of Object.entries(loaded.procedures)) procedures.set(name, procedure);
  }
  parentPort?.on('message', (message: WriterMessage) => {
    if (message.close) {
      db.close();
      parentPort?.close();
      return;
    }
    parentPort?.postMessage({ results: runBatch(sql, procedures, message) } satisfies WriterReply);
  });
}

if (!isMainThread) main();
