import type { Statements } from './sqlite';

/**
 * A write (or a read that must see it) that runs inside the writer thread, inside a transaction of its own.
 * Input and output cross a thread boundary: structured-clone data only. A procedure that throws changes nothing.
 */
export type Procedure = (sql: Statements, input: never) => unknown;
export type Procedures = Readonly<Record<string, Procedure>>;

/** What a module of procedures exports: `export const procedures = defineProcedures({ ... })`. */
export function defineProcedures<P extends Procedures>(procedures: P): P {
  return procedures;
}

export interface ProcedureModule {
  procedures: Procedures;
}

/** Typed access to the procedures of one module: `const events = writer.calls<EventProcedures>()`. */
export type Calls<P extends Procedures> = <K extends keyof P & string>(
  name: K,
  input: Parameters<P[K]>[1],
) => Promise<ReturnType<P[K]>>;
