import type { NamedInteraction } from '../ledger/click-credits';
import type { StoredInteraction } from '../ledger/click-ledger';

type Shown = Pick<StoredInteraction, 'address' | 'request' | 'campaign' | 'product'>;

/** What was shown of what somebody clicked: of a day's views, which are many, as much as a day's clicks ask for. */
export class SeenViews {
  count = 0;
  /** Agent -> views. */
  readonly byAgent = new Map<string, number>();
  private readonly asked: Set<string>;
  private readonly seen = new Set<string>();

  constructor(clicks: readonly NamedInteraction[]) {
    this.asked = new Set(clicks.flatMap(({ interaction }) => namesOf(interaction)));
  }

  add(views: readonly StoredInteraction[]): void {
    for (const view of views) {
      if (view.product === '') continue;
      for (const name of namesOf(view)) if (this.asked.has(name)) this.seen.add(name);
      if (view.agent === undefined) continue;
      this.count += 1;
      this.byAgent.set(view.agent, (this.byAgent.get(view.agent) ?? 0) + 1);
    }
  }

  /** Whether the clicked product was shown on the same page, or to the same address. */
  shown(click: StoredInteraction): boolean {
    return namesOf(click).some((name) => this.seen.has(name));
  }
}

function namesOf({ address, request, campaign, product }: Shown): string[] {
  return [
    ...(request === undefined ? [] : [JSON.stringify(['r', request, campaign, product])]),
    ...(address === undefined ? [] : [JSON.stringify(['a', address, campaign, product])]),
  ];
}
