/** Some work as traces show it. No attribute holds what a shopper or a store sent. */
export interface TracedWork {
  name: string;
  /** `part`: of something that is traced, and else not traced at all. */
  kind: 'whole' | 'part';
  attributes: Readonly<Record<string, string | number>>;
}

/** Who writes traces. */
export interface Tracer {
  run<T>(work: TracedWork, run: () => Promise<T>): Promise<T>;
}

let tracer: Tracer | null = null;

/** Once at the start, where traces are asked for; null ends it. */
export function traceBy(one: Tracer | null): void {
  tracer = one;
}

/** Runs the work, and traces it where traces are asked for. */
export function traced<T>(work: () => TracedWork, run: () => Promise<T>): Promise<T> {
  return tracer === null ? run() : tracer.run(work(), run);
}
