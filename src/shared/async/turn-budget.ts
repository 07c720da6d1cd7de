/**
 * How much is begun in one turn of the event loop, so that what comes in a crowd does not hold up the answers of everybody else. What weighs
 * more than a turn has is begun all the same, alone, and the turns after it pay: between two such, the loop turns as often as both weigh.
 */
export class TurnBudget {
  private left: number;
  private planned = false;

  /** `nextTurn`: called in each turn after one in which something was spent, until all is paid. */
  constructor(
    private readonly perTurn: number,
    private readonly nextTurn: () => void,
  ) {
    this.left = perTurn;
  }

  get hasLeft(): boolean {
    return this.left > 0;
  }

  spend(weight: number): void {
    this.left -= weight;
    this.plan();
  }

  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      this.left = Math.min(this.perTurn, this.left + this.perTurn);
      if (this.left < this.perTurn) this.plan();
      this.nextTurn();
    });
  }
}
