import { SingleBar } from 'cli-progress';

/** How far something is. `total` 0: not known yet. */
export interface Progress {
  done: number;
  total: number;
  /** Items a second; absent or null: not known yet. */
  rate?: number | null | undefined;
  secondsLeft?: number | null | undefined;
}

/** Shows how far something is to whoever waits for it. */
export interface ProgressDisplay {
  show(progress: Progress): void;
  /** What is printed next begins on a line of its own. */
  end(): void;
}

/** Where it is shown: apart from results, which go to standard output. */
export type ProgressStream = NodeJS.WritableStream & { isTTY?: boolean };

/** A log is not filled by a job of hours: a line for each so much of the whole. */
const LINE_EVERY = 0.1;
const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A bar on a terminal, plain lines elsewhere. */
export function progressDisplay(label: string, stream: ProgressStream = process.stderr): ProgressDisplay {
  return stream.isTTY ? new Bar(label, stream) : new Lines(label, stream);
}

/** `1,200 of 5,000 (24%), 300/s, 13 s left`: as much of it as is known. */
export function progressText({ done, total, rate, secondsLeft }: Progress): string {
  const whole = total > 0 ? ` of ${count.format(total)} (${Math.floor((100 * done) / total)}%)` : '';
  const speed = rate ? `, ${count.format(rate)}/s` : '';
  const left = typeof secondsLeft === 'number' ? `, ${duration(secondsLeft)} left` : '';
  return count.format(done) + whole + speed + left;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

class Bar implements ProgressDisplay {
  private readonly bar: SingleBar;
  private isShown = false;

  constructor(label: string, stream: ProgressStream) {
    this.bar = new SingleBar({
      stream,
      format: `${label} {bar} {text}`,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      barsize: 30,
      hideCursor: true,
    });
  }

  show(progress: Progress): void {
    const { done, total } = progress;
    const text = { text: progressText(progress) };
    if (!this.isShown) this.bar.start(Math.max(total, 1), done, text);
    this.isShown = true;
    this.bar.setTotal(Math.max(total, 1));
    this.bar.update(done, text);
  }

  end(): void {
    if (this.isShown) this.bar.stop();
  }
}

class Lines implements ProgressDisplay {
  private shown = -1;

  constructor(
    private readonly label: string,
    private readonly stream: ProgressStream,
  ) {}

  show(progress: Progress): void {
    const { done, total } = progress;
    const step = total > 0 ? Math.floor(done / total / LINE_EVERY) : 0;
    if (step <= this.shown) return;
    this.shown = step;
    this.stream.write(`${this.label} ${progressText(progress)}\n`);
  }

  end(): void {}
}
