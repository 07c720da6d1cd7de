import type { MetricsRow } from './showcase-shop';

const HALF_HOUR = 1_800_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

/** A card as it was handed out, with what it stands for. */
export interface HandedOut {
  link: string;
  px: string;
  product: string;
  campaign: string;
  placement: string;
  user: string;
  issuedAt: number;
}

export interface TrueCampaign {
  bid: number;
  budget: number;
  dailyBudget: number;
  paused: boolean;
}

/** Who follows a link, and how. */
export interface TrueVisit {
  at: number;
  /** `X-User-Id`. */
  userId: string | null;
  kind: 'person' | 'bot' | 'prefetch';
  address: string;
  keys: boolean;
}

export interface TrueOrder {
  id: string;
  user: string;
  at: number;
  lines: { product: string; quantity: number; cents: number }[];
  proven: boolean;
  foreignCurrency: boolean;
}

type Row = Omit<MetricsRow, 'ctr' | 'revenue' | 'spend'> & {
  cents: number;
  unverifiedCents: number;
  spentCents: number;
};

interface Sold {
  row: Row;
  product: string;
  quantity: number;
  cents: number;
  proven: boolean;
  counted: boolean;
}

/** What should have been counted, worked out one by one and without any of the service's code. Money in cents. */
export class ShowcaseTruth {
  private readonly rows = new Map<string, Row>();
  private readonly widgets = new Map<string, { placement: string; day: string; views: number; gross: number }>();
  private readonly seen = new Set<string>();
  private readonly foreign = new Map<string, number>();
  private readonly spent = new Map<string, number>();
  private readonly bursts = new Map<string, { since: number; count: number }>();
  private readonly clicks = new Map<string, { campaign: string; placement: string; at: number }>();
  private readonly orders = new Map<string, Sold[]>();
  private readonly confirmed = new Set<string>();

  constructor(
    private readonly campaigns: ReadonlyMap<string, TrueCampaign>,
    private readonly rules: { linkHours: number; attributionDays: number; clicksPerMinute: number },
  ) {}

  /** The verdict a click should get. */
  click(card: HandedOut, visit: TrueVisit): string {
    const verdict = this.verdictOf(card, visit);
    const row = this.row(card, visit.at);
    row.gross.clicks += 1;
    row.verdicts[verdict] = (row.verdicts[verdict] ?? 0) + 1;
    if (verdict !== 'valid') return verdict;
    row.clicks += 1;
    row.spentCents += this.campaign(card).bid;
    const { campaign, placement } = card;
    this.clicks.set(`${visit.userId ?? card.user} ${card.product}`, { campaign, placement, at: visit.at });
    return verdict;
  }

  forged(at: number): void {
    const row = this.row({ campaign: '', product: '', placement: '' }, at);
    row.gross.clicks += 1;
    row.verdicts['forged'] = (row.verdicts['forged'] ?? 0) + 1;
  }

  view(card: HandedOut, visit: TrueVisit): void {
    const row = this.row(card, visit.at);
    row.gross.views += 1;
    if (this.counts(card, card.px, visit)) row.views += 1;
  }

  widget(px: string, card: HandedOut, visit: TrueVisit): void {
    const day = dayIn(visit.at);
    const name = `${day} ${card.placement}`;
    const row = this.widgets.get(name) ?? { placement: card.placement, day, views: 0, gross: 0 };
    this.widgets.set(name, row);
    row.gross += 1;
    if (this.counts(card, px, visit)) row.views += 1;
  }

  order(order: TrueOrder): void {
    const known = this.orders.get(order.id);
    if (known) {
      if (order.proven) this.confirm(order.id);
      return;
    }
    const sold = order.lines.flatMap(({ product, quantity, cents }): Sold[] => {
      const click = this.clicks.get(`${order.user} ${product}`);
      if (!click || click.at < order.at - this.rules.attributionDays * DAY) return [];
      const row = this.row({ ...click, product }, order.at);
      return [{ row, product, quantity, cents, proven: false, counted: !order.foreignCurrency }];
    });
    this.orders.set(order.id, sold);
    for (const { row, cents, counted } of sold) {
      if (!counted) {
        row.verdicts['currency'] = (row.verdicts['currency'] ?? 0) + 1;
        continue;
      }
      row.conversions += 1;
      row.unverified += 1;
      row.cents += cents;
      row.unverifiedCents += cents;
    }
    if (order.proven || this.confirmed.has(order.id)) this.confirm(order.id);
  }

  confirm(id: string): void {
    this.confirmed.add(id);
    for (const sold of this.orders.get(id) ?? []) {
      if (sold.proven || !sold.counted) continue;
      sold.proven = true;
      sold.row.unverified -= 1;
      sold.row.unverifiedCents -= sold.cents;
    }
  }

  refund(id: string, back: { product: string; quantity: number; cents: number }): void {
    for (const sold of this.orders.get(id) ?? []) {
      if (sold.product !== back.product || !sold.counted) continue;
      const quantity = Math.max(0, sold.quantity - back.quantity);
      const cents = quantity === 0 ? 0 : Math.max(0, sold.cents - back.cents);
      sold.row.cents -= sold.cents - cents;
      if (!sold.proven) sold.row.unverifiedCents -= sold.cents - cents;
      Object.assign(sold, { quantity, cents });
    }
  }

  /** As the metrics should say it. */
  metrics(): { rows: MetricsRow[]; widgets: object[] } {
    const rows = [...this.rows.values()].map(({ cents, unverifiedCents, spentCents, ...row }) => ({
      ...row,
      ctr: row.views > 0 ? row.clicks / row.views : 0,
      revenue: cents / 100,
      unverifiedRevenue: unverifiedCents / 100,
      spend: spentCents / 100,
    }));
    return { rows, widgets: [...this.widgets.values()] };
  }

  /** Cents. */
  spentBy(campaign: string): number {
    return this.spent.get(campaign) ?? 0;
  }

  private verdictOf(card: HandedOut, visit: TrueVisit): string {
    const { bid, budget, dailyBudget, paused } = this.campaign(card);
    if (visit.kind !== 'person') return visit.kind;
    if (this.isOld(card, visit) || paused) return 'expired';
    if (!visit.keys && this.isBurst(visit)) return 'burst';
    const who = visit.userId ?? card.user;
    if (this.seenBefore(card, card.link, { who, at: visit.at })) return 'duplicate';
    const foreign = who !== card.user && !visit.keys;
    const slots = this.foreign.get(card.link) ?? 0;
    // What is refused here may come again: it was not counted.
    if (foreign && slots >= 20) return this.unsee(card, { who, at: visit.at }, 'shared');
    if (foreign) this.foreign.set(card.link, slots + 1);
    const [total, today] = [card.campaign, `${card.campaign} ${dayIn(visit.at)}`];
    if (this.spentBy(total) + bid > budget || this.spentBy(today) + bid > dailyBudget) return 'over_budget';
    for (const name of [total, today]) this.spent.set(name, this.spentBy(name) + bid);
    return 'valid';
  }

  private counts(card: HandedOut, image: string, visit: TrueVisit): boolean {
    if (visit.kind !== 'person' || this.isOld(card, visit)) return false;
    return !this.seenBefore(card, image, { who: visit.userId ?? card.user, at: visit.at });
  }

  private isOld({ issuedAt }: HandedOut, { at }: TrueVisit): boolean {
    return at - issuedAt > this.rules.linkHours * 3_600_000;
  }

  private isBurst({ address, userId, at }: TrueVisit): boolean {
    const name = `${address} ${userId}`;
    const window = this.bursts.get(name);
    const current = window && at - window.since < MINUTE ? window : { since: at, count: 0 };
    this.bursts.set(name, current);
    if (current.count >= this.rules.clicksPerMinute) return true;
    current.count += 1;
    return false;
  }

  private seenBefore({ issuedAt }: HandedOut, address: string, { who, at }: { who: string; at: number }): boolean {
    const name = `${address} ${who} ${Math.floor((at - issuedAt) / HALF_HOUR)}`;
    if (this.seen.has(name)) return true;
    this.seen.add(name);
    return false;
  }

  private unsee(card: HandedOut, { who, at }: { who: string; at: number }, verdict: string): string {
    this.seen.delete(`${card.link} ${who} ${Math.floor((at - card.issuedAt) / HALF_HOUR)}`);
    return verdict;
  }

  private campaign({ campaign }: HandedOut): TrueCampaign {
    const found = this.campaigns.get(campaign);
    if (!found) throw new Error(`No campaign ${campaign}`);
    return found;
  }

  private row(
    { campaign, product, placement }: Pick<HandedOut, 'campaign' | 'product' | 'placement'>,
    at: number,
  ): Row {
    const day = dayIn(at);
    const name = [day, campaign, product, placement].join('\n');
    const row = this.rows.get(name) ?? {
      campaign,
      product,
      placement,
      day,
      views: 0,
      clicks: 0,
      conversions: 0,
      unverified: 0,
      cents: 0,
      unverifiedCents: 0,
      spentCents: 0,
      gross: { views: 0, clicks: 0 },
      verdicts: {},
    };
    this.rows.set(name, row);
    return row;
  }
}

/** São Paulo has been three hours behind all year since 2019. */
function dayIn(at: number): string {
  return new Date(at - 3 * 3_600_000).toISOString().slice(0, 10);
}
