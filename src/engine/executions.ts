import type { Metrics } from '../http/health/metrics';

/** In which way a search can be executed, as `EngineResult.execution` and explanations say it. */
export const executions = ['all', 'counted', 'ids', 'kept', 'neutral', 'sorted', 'window'] as const;

/** How often searches were executed in which way. */
export class Executions {
  private readonly counts = new Map<string, number>();
  private begun = 0;

  /** `areElsewhere`: other processes answer the searches of shoppers, as beside a worker. */
  constructor(private readonly areElsewhere = false) {}

  /** Searches and look-ups of words that were begun, whatever became of them; null: those of other processes are not known. */
  get asked(): number | null {
    return this.areElsewhere ? null : this.begun;
  }

  begin(): void {
    this.begun++;
  }

  note(execution: string): void {
    this.counts.set(execution, this.count(execution) + 1);
  }

  count(execution: string): number {
    return this.counts.get(execution) ?? 0;
  }

  watch(metrics: Metrics): void {
    const count = (kind: string): number => this.count(kind);
    metrics.counter('search_plans_total', 'Searches of the index, by the plan that was used.', {
      kinds: executions,
      count,
    });
  }
}
