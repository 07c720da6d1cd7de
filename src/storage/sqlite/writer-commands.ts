import type { Statements } from './sqlite';

/**
 * A write (or a read that must see it). It runs in the writer thread, in a transaction of its own; one that throws changes nothing. Input
 * and output cross a thread boundary: structured-clone data only.
 */
export type WriterCommand = (sql: Statements, input: never) => unknown;
export type WriterCommands = Readonly<Record<string, WriterCommand>>;

/** What a module of writer commands exports: `export const commands = defineWriterCommands({ ... })`. */
export function defineWriterCommands<P extends WriterCommands>(commands: P): P {
  return commands;
}

/** Typed access to the writer commands of one module: `const events = writer.calls<EventCommands>()`. */
export type Calls<P extends WriterCommands> = <K extends keyof P & string>(
  name: K,
  input: Parameters<P[K]>[1],
) => Promise<ReturnType<P[K]>>;

/** Calls a command that removes some rows at a time until it finds none; the number of all. */
export async function callUntilNone(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const some = await removeSome();
    if (some === 0) return removed;
    removed += some;
  }
}
