/** Runs `work` some time after it was asked for; whoever asks until then joins. For what many leave behind and nobody waits for. */
export class Delayed {
  private timer: NodeJS.Timeout | undefined;

  /** `ms`: milliseconds. A scheduled run that fails says so to `failed`. */
  constructor(
    private readonly ms: number,
    private readonly work: () => Promise<unknown>,
    private readonly failed: (error: unknown) => void = () => undefined,
  ) {}

  /** Does not keep the process alive. */
  schedule(): void {
    this.timer ??= setTimeout(() => void this.run().catch(this.failed), this.ms).unref();
  }

  /** Runs at once, in place of what is scheduled. */
  async run(): Promise<void> {
    this.cancel();
    await this.work();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
