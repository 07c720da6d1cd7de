import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { type Experiment, sinceOf, stateOf } from '../../stores/experiments/experiment';
import type { Store } from '../../stores/store';
import { SearchLog } from '../log/search-log';
import { experimentResults, type ExperimentResults } from './experiment-results';
import type { ResultsReply } from './results-reply';

/** What came of a store's experiments, from its search log. */
@Injectable()
export class ExperimentReports {
  constructor(
    private readonly log: SearchLog,
    private readonly clock: Clock,
  ) {}

  async of({ id: store }: Store, experiment: Experiment): Promise<ResultsReply> {
    const now = this.clock.now();
    const since = sinceOf(experiment);
    const from = Date.parse(since);
    const to = Math.max(from, Math.min(now, Date.parse(experiment.to ?? new Date(now).toISOString())));
    await this.log.flush();
    // Those of this very moment, too.
    const found = await experimentResults(experiment, this.log.read({ store, from, to: to + 1 }));
    const { name } = experiment;
    const until = new Date(to).toISOString();
    return { name, state: stateOf(experiment, now), since, until, ...found, warnings: warningsOf(found) };
  }
}

function warningsOf({ split, shoppersLeftOut, groups }: ExperimentResults): string[] {
  const counts = groups.map(
    ({ name, shoppers, share }) => `${name} ${shoppers} (${(100 * share).toFixed(1)}% expected)`,
  );
  const off = `The split is off: ${counts.join(', ')}; a fair one is as far off in ${split.pValue.toExponential(1)} of all cases. Something loses or adds shoppers of a group: believe no difference before it is found`;
  const mixed = `${shoppersLeftOut} shoppers were seen in more than one group, or in one that is no more, and are left out`;
  return [...(split.isOff ? [off] : []), ...(shoppersLeftOut > 0 ? [mixed] : [])];
}
