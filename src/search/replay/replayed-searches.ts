import { Injectable } from '@nestjs/common';
import { PastProfiles } from '../../behaviour/profiles/past-profiles';
import type { JobContext } from '../../jobs/job-queue';
import type { Store } from '../../stores/store';
import type { ChosenSearch, ChosenSearches } from './chosen-searches';
import { PastOrders } from './past-orders';
import { ReplayTally } from './replay-tally';
import type { Contenders } from './replayed-templates';

/** Searches between two reports of progress. */
const TOLD_EVERY = 50;

interface ReplayWork {
  chosen: ChosenSearches;
  contenders: Contenders;
  job: Pick<JobContext, 'signal' | 'progress'>;
}

/** Chosen searches, asked once with each of two templates, as the shopper was known then. */
@Injectable()
export class ReplayedSearches {
  constructor(
    private readonly orders: PastOrders,
    private readonly shoppers: PastProfiles,
  ) {}

  async compare(store: Store, { chosen, contenders, job }: ReplayWork): Promise<ReplayTally> {
    const tally = new ReplayTally();
    let done = 0;
    for (const [shopper, searches] of byShopper(chosen.chosen)) {
      const past = await this.shoppers.of(store, shopper);
      for (const one of searches) {
        job.signal.throwIfAborted();
        const moment = past(one.search.at);
        const current = await this.orders.of(store, one.search, { template: contenders.current, moment });
        const candidate = await this.orders.of(store, one.search, { template: contenders.candidate, moment });
        const isPersonal = current.isPersonal || candidate.isPersonal;
        const found = new Set([...current.products, ...candidate.products]);
        if ([...one.judged.keys()].every((product) => !found.has(product))) chosen.left.not_found += 1;
        else tally.add({ ...one, current: current.products, candidate: candidate.products, isPersonal });
        done += 1;
        if (done % TOLD_EVERY === 0) await job.progress(done, chosen.chosen.length);
      }
    }
    await job.progress(done, chosen.chosen.length);
    return tally;
  }
}

/** A shopper's events are read once for all of their searches. */
export function byShopper(chosen: readonly ChosenSearch[]): Map<ChosenSearch['search']['shopper'], ChosenSearch[]> {
  const shoppers = new Map<ChosenSearch['search']['shopper'], ChosenSearch[]>();
  for (const one of chosen) {
    const known = shoppers.get(one.search.shopper);
    if (known) known.push(one);
    else shoppers.set(one.search.shopper, [one]);
  }
  return shoppers;
}
