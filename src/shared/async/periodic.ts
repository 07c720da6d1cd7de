import { within } from './within';

/** A run that takes longer does not hold up the end of the process: it finds the storage closed, and says so. */
const STOP_WITHIN_MS = 1000;

/** Runs `work` again and again, never twice at once, without keeping the process alive. */
export class Periodic {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | null = null;
  private failing = false;

  /** `failed` hears of the first failure of a row; the next one it hears of comes after a run that worked. */
  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly failed: (error: unknown) => void = () => undefined,
  ) {}

  /** The first run is `everyMs` milliseconds from now. */
  start(): void {
    this.timer ??= setInterval(() => void this.run(), this.everyMs).unref();
  }

  /** Begins no more runs; resolves when the one under way has ended, or after a second. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.underWay) await within(STOP_WITHIN_MS, this.underWay).catch(() => undefined);
  }

  /** Runs at once, or joins the run that is under way. Never rejects. */
  run(): Promise<void> {
    this.underWay ??= this.runOnce().finally(() => (this.underWay = null));
    return this.underWay;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.work();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.failed(error);
      this.failing = true;
    }
  }
}
