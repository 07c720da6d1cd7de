/** The store's own rate weighs as much as so many views: what is new has that rate, and a lucky first click changes little. */
const PRIOR_VIEWS = 100;
/** The rate of a store without any views. */
const USUAL = 0.01;

export interface Counts {
  views: number;
  clicks: number;
}

/** What counts: not what is beyond an address's most of a day. Clicks that were credited are not among the valid ones any more. */
export const RATED: ReadonlyMap<string, { kind: keyof Counts; sign: 1 | -1 }> = new Map([
  ['view/valid', { kind: 'views', sign: 1 }],
  ['view/unrated', { kind: 'views', sign: -1 }],
  ['click/valid', { kind: 'clicks', sign: 1 }],
  ['click/unrated', { kind: 'clicks', sign: -1 }],
]);

/** Clicks by view of each campaign's products, smoothed towards the store's own rate. */
export class ClickRates {
  private readonly usual: number;

  constructor(
    /** Campaign -> product -> what was counted. */
    private readonly counts: ReadonlyMap<string, ReadonlyMap<string, Counts>>,
    all: Counts,
  ) {
    this.usual = smoothed(all, USUAL);
  }

  /** Of a campaign's products by their ids. */
  of(campaign: string): (product: string) => number {
    const counts = this.counts.get(campaign);
    return (product) => {
      const own = counts?.get(product);
      return own ? smoothed(own, this.usual) : this.usual;
    };
  }
}

/** Above zero, and at most one. */
function smoothed({ views, clicks }: Counts, prior: number): number {
  return Math.min(1, (clicks + PRIOR_VIEWS * prior) / (Math.max(views, clicks) + PRIOR_VIEWS));
}
