import type { ElasticConnection } from './elastic-connection';

/** Milliseconds. */
const PATIENCE = 5000;

/** Makes everything that was written to some indices until now visible to searches. Callers at the same time share it. */
export class SharedRefresh {
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  /** `index`: a full name, or a pattern of such. */
  constructor(
    private readonly connection: ElasticConnection,
    private readonly index: string,
  ) {}

  now(): Promise<void> {
    if (!this.running) return this.begin();
    // One that is under way may have begun before the write this caller wants to see.
    this.next ??= this.running.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<void> {
    this.next = null;
    const running = this.connection
      .call((client, options) => client.indices.refresh({ index: this.index }, options), PATIENCE)
      .then(() => undefined);
    this.running = running;
    const done = (): void => {
      if (this.running === running) this.running = null;
    };
    running.then(done, done);
    return running;
  }
}
