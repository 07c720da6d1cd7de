import { ApiError } from '../../shared/api-error';
import { Periodic } from '../../shared/async/periodic';
import { within } from '../../shared/async/within';
import { writeTrouble } from './write-trouble';

/** Milliseconds for which a write that went well says that the next one will. */
const HOLDS_MS = 2000;
/** Milliseconds after which a disk that has not answered counts as one that does not. */
const LATE_MS = 2000;
/** Milliseconds that a check waits for a write; one that is still under way then counts for the next check. */
const CHECK_WITHIN_MS = 800;
/** How often a database that takes no writes is tried. */
const TRY_EVERY_MS = 1000;
/** Bytes there has to be room for after trouble: the last corner of a disk would be full again with the next write. */
const ROOM = 256 * 1024;

export const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('unavailable', message, { retryAfter: 1, cause });

/**
 * Whether writes reach the disk, by writing: when somebody asks, and again and again after trouble until it is over. Trouble that other
 * writes run into is heard of at once. An idle service of which nobody asks writes nothing.
 */
export class WriteHealth {
  private trouble: ApiError | null = null;
  private goodAt = -Infinity;
  private closed = false;
  private said: (trouble: ApiError | null) => void = () => undefined;
  private readonly trying = new Periodic(TRY_EVERY_MS, () => this.probe());

  /** `write`: resolves when so many bytes are on the disk. */
  constructor(private readonly write: (bytes: number) => Promise<unknown>) {}

  /** `said` hears of each new trouble, and null when it is over. */
  onChange(said: (trouble: ApiError | null) => void): void {
    this.said = said;
    if (this.trouble) said(this.trouble);
  }

  /** Rejects with `unavailable`, which says why, while nothing can be written. What it answers is true for some seconds. */
  async check(): Promise<void> {
    const knownGood = !this.trouble && performance.now() - this.goodAt < HOLDS_MS;
    if (!knownGood) await within(CHECK_WITHIN_MS, this.trying.run()).catch(() => undefined);
    if (this.trouble) throw this.trouble;
  }

  failed(error: unknown): void {
    if (this.closed) return;
    const words = writeTrouble(error) ?? (error instanceof Error ? error.message : String(error));
    const isNew = this.trouble?.message !== words;
    this.trouble = unavailable(words, error);
    this.trying.start();
    if (isNew) this.said(this.trouble);
  }

  close(): void {
    this.closed = true;
    void this.trying.stop();
  }

  private async probe(): Promise<void> {
    try {
      if (this.trouble) await this.put(ROOM);
      await this.put(0);
    } catch (error) {
      return this.failed(error);
    }
    this.goodAt = performance.now();
    if (!this.trouble || this.closed) return;
    this.trouble = null;
    void this.trying.stop();
    this.said(null);
  }

  private put(bytes: number): Promise<unknown> {
    return within(LATE_MS, this.write(bytes), () => unavailable('The disk does not answer'));
  }
}
