import type { Readable } from 'node:stream';

/**
 * Bodies that a job works on later. What `stage` resolved for survives a killed process and a power cut. Removed by the job that used
 * it. Left out: any look at the content.
 */
export abstract class ImportFiles {
  /** Streams a body of a store (its internal id) in; resolves with its name when it is durable. A body that breaks off leaves nothing. */
  abstract stage(store: string, body: Readable): Promise<{ file: string; bytes: number }>;
  /** Null where it is gone. */
  abstract open(file: string): Promise<{ stream: Readable; bytes: number } | null>;
  abstract remove(file: string): Promise<void>;
  /** Removes all of a store; the number of files. */
  abstract removeStore(store: string): Promise<number>;
  /** Removes what was staged before `before` (epoch ms) and no job has taken away; the number of files. */
  abstract expire(before: number): Promise<number>;
}
