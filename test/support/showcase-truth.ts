import type { MetricsRow } from './showcase-shop';
import { type Row, type TrueOrder, TrueOrders } from './true-orders';

const HALF_HOUR = 1_800_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
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

export interface TrueRules {
  linkHours: number;
  attributionDays: number;
  clicksPerMinute: number;
  usersPerHour: number;
  /** Of a campaign's clicks in an hour, at most this share from one address, or so many. */
  addressShare: number;
  addressClicks: number;
}

/** What should have been counted, worked out one by one and without any of the service's code. Money in cents. */
export class ShowcaseTruth {
  private readonly rows = new Map<string, Row>();
  private readonly widgets = new Map<string, { placement: string; day: string; views: number; gross: number }>();
  private readonly seen = new Set<string>();
  private readonly foreign = new Map<string, number>();
  private readonly spent = new Map<string, number>();
  /** Clicks of each address that nothing spoke against, and those of them that were billed. */
  private readonly admitted: { address: string; user: string; campaign: string; at: number; billed: boolean }[] = [];
  private readonly clicks = new Map<string, { campaign: string; placement: string; at: number }>();
  readonly orders = new TrueOrders((order, product) => this.rowOfSale(order, product));

  constructor(
    private readonly campaigns: ReadonlyMap<string, TrueCampaign>,
    private readonly rules: TrueRules,
  ) {}

  /** The verdict a click should get. */
  click(card: HandedOut, visit: TrueVisit): string {
    const verdict = this.verdictOf(card, visit);
    if (['valid', 'over_budget', 'duplicate', 'shared'].includes(verdict) && !visit.keys)
      this.admit(card, visit, verdict);
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

  /** As the metrics should say it. */
  metrics(): { rows: MetricsRow[]; widgets: object[] } {
    // An order that is not counted any more leaves nothing.
    const counted = ({ gross, conversions, verdicts }: Row): boolean =>
      gross.views + gross.clicks + conversions + Object.keys(verdicts).length > 0;
    const rows = [...this.rows.values()].filter(counted).map(({ cents, unverifiedCents, spentCents, ...row }) => ({
      ...row,
      ctr: row.views > 0 ? row.clicks / row.views : 0,
      revenue: cents / 100,
      unverifiedRevenue: unverifiedCents / 100,
      spend: spentCents / 100,
      credited: 0,
      invalid: {},
    }));
    return { rows, widgets: [...this.widgets.values()] };
  }

  /** Cents. */
  spentBy(campaign: string): number {
    return this.spent.get(campaign) ?? 0;
  }

  /** An order follows from the user's last click on the product. */
  private rowOfSale({ user, at }: TrueOrder, product: string): Row | null {
    const click = this.clicks.get(`${user} ${product}`);
    return click && click.at >= at - this.rules.attributionDays * DAY ? this.row({ ...click, product }, at) : null;
  }

  private verdictOf(card: HandedOut, visit: TrueVisit): string {
    const { bid, budget, dailyBudget, paused } = this.campaign(card);
    if (visit.kind !== 'person') return visit.kind;
    if (this.isOld(card, visit) || paused) return 'expired';
    if (!visit.keys && this.isBurst(card, visit)) return 'burst';
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

  private admit(card: HandedOut, { address, userId, at }: TrueVisit, verdict: string): void {
    const { campaign } = card;
    this.admitted.push({ address, user: userId ?? card.user, campaign, at, billed: verdict === 'valid' });
  }

  private isBurst(card: HandedOut, { address, userId, at }: TrueVisit): boolean {
    const hour = this.admitted.filter((click) => Math.floor(click.at / HOUR) === Math.floor(at / HOUR));
    const own = hour.filter((click) => click.address === address);
    const minute = own.filter((click) => Math.floor(click.at / MINUTE) === Math.floor(at / MINUTE));
    const users = new Set([...own.map(({ user }) => user), userId ?? card.user]);
    const billed = hour.filter((click) => click.billed && click.campaign === card.campaign);
    const billedHere = billed.filter((click) => click.address === address).length;
    const most = Math.max(this.rules.addressClicks, this.rules.addressShare * (billed.length + 1));
    return minute.length >= this.rules.clicksPerMinute || users.size > this.rules.usersPerHour || billedHere + 1 > most;
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
