const EVERY_MS = 1000;

/**
 * Resident memory as it is most of the time: the mean of what is read each second, and the most. One reading a minute would tell where in a job
 * of a few seconds it fell.
 */
export class MemoryMeter {
  private readonly timer: NodeJS.Timeout;
  private values: number[] = [];

  /** `read`: MiB; undefined where the system doesn't tell. */
  constructor(private readonly read: () => number | undefined) {
    this.timer = setInterval(() => this.note(), EVERY_MS);
  }

  /** Since this was last asked. NaN where the system doesn't tell. */
  take(): { mean: number; most: number } {
    this.note();
    const { values } = this;
    this.values = [];
    if (values.length === 0) return { mean: Number.NaN, most: Number.NaN };
    return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, most: Math.max(...values) };
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private note(): void {
    const value = this.read();
    if (value !== undefined) this.values.push(value);
  }
}
