import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { migrate } from './migrations/migrate';
import type { WriterCommand, WriterCommands } from './writer-commands';
import { openDatabase, Statements } from './sqlite';

export interface WriterSetup {
  path: string;
  /** Absolute paths of compiled modules that export `commands`. */
  modules: string[];
}

export interface WriterMessage {
  calls: { id: number; name: string; input: unknown }[];
  close?: boolean;
}

export interface WriterReply {
  results: { id: number; value?: unknown; error?: { name: string; message: string; code?: string } }[];
}

/** Milliseconds for which a commit takes in the calls that arrive while it runs earlier ones. */
const COLLECT_MS = 5;

/** One transaction of many calls, each behind a savepoint: those of the first message, and of all messages that arrive meanwhile. */
class Group {
  readonly results: WriterReply['results'] = [];
  private readonly ids: number[] = [];
  closing = false;

  constructor(
    private readonly sql: Statements,
    private readonly commands: ReadonlyMap<string, WriterCommand>,
  ) {}

  run(first: WriterMessage, next: () => WriterMessage | undefined): WriterReply {
    const until = performance.now() + COLLECT_MS;
    let message: WriterMessage | undefined = first;
    try {
      this.sql.run('BEGIN IMMEDIATE');
      while (message) {
        this.closing = message.close ?? false;
        for (const call of message.calls) this.ids.push(call.id);
        for (const call of message.calls) this.runOne(call);
        message = this.closing || performance.now() > until ? undefined : next();
      }
      this.sql.run('COMMIT');
      return { results: this.results };
    } catch (error) {
      if (this.sql.db.inTransaction) this.sql.exec('ROLLBACK');
      return { results: this.ids.map((id) => ({ id, error: describe(error) })) };
    }
  }

  private runOne({ id, name, input }: WriterMessage['calls'][number]): void {
    this.sql.run('SAVEPOINT one');
    try {
      const command = this.commands.get(name);
      if (!command) throw new Error(`Unknown writer command ${name}`);
      this.results.push({ id, value: command(this.sql, input as never) });
    } catch (error) {
      this.sql.run('ROLLBACK TO one');
      this.results.push({ id, error: describe(error) });
    }
    this.sql.run('RELEASE one');
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
  const commands = new Map<string, WriterCommand>([['storage.flush', (): null => null]]);
  for (const path of setup.modules) {
    const loaded = require(path) as { commands: WriterCommands };
    for (const [name, command] of Object.entries(loaded.commands)) commands.set(name, command);
  }
  const port = parentPort;
  const next = (): WriterMessage | undefined =>
    port ? (receiveMessageOnPort(port)?.message as WriterMessage | undefined) : undefined;
  port?.on('message', (message: WriterMessage) => {
    const group = new Group(sql, commands);
    port.postMessage(group.run(message, next));
    if (!group.closing) return;
    db.close();
    port.close();
  });
}

if (!isMainThread) main();
