import { Injectable } from '@nestjs/common';
import { PastProfiles } from '../../behaviour/profiles/past-profiles';
import type { TemplateDocument } from '../../ranking/template/template-document';
import type { Store } from '../../stores/store';
import type { ChosenSearch } from '../replay/chosen-searches';
import { byShopper } from '../replay/replayed-searches';
import { FoundSearches } from './found-searches';
import { idealGain, type JudgedFind } from './training-set';

/** The share of the searches that a template is searched with; the later ones judge it. */
const TRAINING_SHARE = 0.7;

export interface TuningParts {
  train: ChosenSearch[];
  /** Later than all of `train`. */
  test: ChosenSearch[];
  /** When `test` begins, epoch milliseconds. */
  split: number;
}

/** Divides searches by a time, those of one moment never. */
export function divideByTime(chosen: readonly ChosenSearch[], to: number): TuningParts {
  const split = chosen[Math.floor(TRAINING_SHARE * chosen.length)]?.search.at ?? to;
  return {
    train: chosen.filter(({ search }) => search.at < split),
    test: chosen.filter(({ search }) => search.at >= split),
    split,
  };
}

export interface CollectOptions {
  template: TemplateDocument;
  signal: AbortSignal;
  told(done: number): Promise<void>;
}

/** Logged searches as a search for templates learns from them. */
@Injectable()
export class JudgedFinds {
  constructor(
    private readonly found: FoundSearches,
    private readonly shoppers: PastProfiles,
  ) {}

  /** Those of which nothing that was judged is found any more are left out. */
  async of(
    store: Store,
    chosen: readonly ChosenSearch[],
    { template, signal, told }: CollectOptions,
  ): Promise<JudgedFind[]> {
    const finds: JudgedFind[] = [];
    let done = 0;
    for (const [shopper, searches] of byShopper(chosen)) {
      const past = await this.shoppers.of(store, shopper);
      for (const { search, judged } of searches) {
        signal.throwIfAborted();
        const moment = past(search.at);
        const found = await this.found.of(store, search, { template, moment, wanted: judged.keys() });
        const gains = found.products.map(({ id }) => judged.get(id) ?? 0);
        if (gains.some((gain) => gain > 0)) {
          const weight = [...judged.values()].reduce((sum, one) => sum + one, 0);
          const who = shopper ?? `search ${search.searchId}`;
          finds.push({ shopper: who, weight, found, gains, ideal: idealGain(judged.values()) });
        }
        done += 1;
        await told(done);
      }
    }
    return finds;
  }
}
