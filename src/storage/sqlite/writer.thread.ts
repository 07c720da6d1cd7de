import { isMainThread, type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { standBack } from '../../shared/stand-back';
import { migrate } from './migrations/migrate';
import { openDatabase, Statements } from './sqlite';
import { type LockState, WriteGroup, type WriterMessage, type WriterReply } from './write-group';
import { writeProbe } from './write-probe';
import type { WriterCommand, WriterCommands } from './writer-commands';

export interface WriterSetup {
  path: string;
  /** Absolute paths of compiled modules that export `commands`. */
  modules: string[];
}

/** Milliseconds of one try to get the lock. Between two, what has waited for too long is answered. */
const LOCK_TRY_MS = 50;

function commandsOf(modules: string[]): Map<string, WriterCommand> {
  const commands = new Map<string, WriterCommand>([
    ['storage.flush', (): null => null],
    ['storage.probe', writeProbe],
  ]);
  for (const path of modules) {
    const loaded = require(path) as { commands: WriterCommands };
    for (const [name, command] of Object.entries(loaded.commands)) commands.set(name, command);
  }
  return commands;
}

function main(port: MessagePort): void {
  standBack();
  const { path, modules } = workerData as WriterSetup;
  const db = openDatabase(path);
  migrate(db);
  db.exec(`PRAGMA busy_timeout = ${LOCK_TRY_MS}`);
  const sql = new Statements(db);
  const commands = commandsOf(modules);
  const next = (): WriterMessage | undefined => receiveMessageOnPort(port)?.message as WriterMessage | undefined;
  const reply = (replies: WriterReply): void => port.postMessage(replies);
  const lock: LockState = { isHeld: false };
  let closed = false;
  port.on('message', (message: WriterMessage) => {
    // A closed port still hands over what had arrived.
    if (closed) return;
    const group = new WriteGroup({ sql, commands, lock, next, reply });
    group.run(message);
    if (!group.closing) return;
    closed = true;
    sql.close();
    port.close();
  });
}

if (!isMainThread && parentPort) main(parentPort);
