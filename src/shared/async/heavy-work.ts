import { Shares } from './shares';

type Names = readonly [store: string, caller: string];

/** How much heavier than the lightest what callers have under way is, in all. Weights are 1 or more. */
export class HeavyWork {
  private readonly underWay = new Shares();

  /** `mostOf`: once so much of a caller's is under way, nothing more of theirs begins. `ended`: told when some of it has ended. */
  constructor(
    private readonly mostOf: (names: readonly string[]) => number,
    private readonly ended: () => void,
  ) {}

  isTooMuch(names: readonly string[]): boolean {
    return this.underWay.of(names) >= this.mostOf(names);
  }

  begin(names: Names, weight: number): void {
    this.underWay.add(names, weight - 1);
  }

  /** It ends when the work does, however that ends, and not before: the servers have it to do where nobody waits for its answer any more, too. */
  endWith(work: Promise<unknown>, names: Names, weight: number): void {
    if (weight === 1) return;
    const over = (): void => {
      this.underWay.add(names, 1 - weight);
      this.ended();
    };
    work.then(over, over);
  }
}
