import { within } from './shared/async/within';

/** Milliseconds: whoever runs the service kills what has not ended after ten seconds, or more. */
const END_WITHIN_MS = 9500;

/**
 * What SIGTERM and SIGINT do: the first lets requests under way finish and hands jobs back, a second one ends the process at once. Where nothing
 * is open yet there is nothing to wait for.
 */
export class EndOnSignals {
  private close: (() => Promise<unknown>) | null = null;
  private drainMs = 0;
  private begun = false;

  constructor() {
    process.on('SIGINT', () => this.end());
    process.on('SIGTERM', () => this.end());
  }

  /** Whether the process is ending: what fails from then on says nothing. */
  get isEnding(): boolean {
    return this.begun;
  }

  /** `drainMs`: how long `close` waits before it begins. What it has not done in time is left, as by a process that is killed. */
  closing(close: () => Promise<unknown>, drainMs = 0): void {
    this.close = close;
    this.drainMs = drainMs;
  }

  private end(): void {
    if (this.begun) process.exit(1);
    this.begun = true;
    if (!this.close) process.exit(0);
    void within(this.drainMs + END_WITHIN_MS, this.close())
      .catch(sayWhy)
      .then(() => process.exit(0));
  }
}

function sayWhy(error: unknown): void {
  process.stderr.write(`vitrine left something open: ${String(error)}\n`);
}
