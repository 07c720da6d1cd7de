import { answerOf, api } from '../../api/client.ts';

export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
/** What happens in the shop is seen by who looks at its numbers. */
export const LIVELY = { everyMs: 15_000 };

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const lastDays = (count: number): Days => {
  const now = Date.now();
  return { from: dayOf(now - (count - 1) * DAY_MS), to: dayOf(now) };
};

/** Asked for as JSON, whatever else the route can answer. */
const json = async <T>(answer: Promise<T>): Promise<Exclude<T, string>> => (await answer) as Exclude<T, string>;

/** Every day of the period; a day without a search has none of anything. */
export function everyDay({ from, to, days }: Pick<SearchNumbers, 'from' | 'to' | 'days'>): SearchNumbers['days'] {
  const known = new Map(days.map((row) => [row.day, row]));
  const none = {
    searches: 0,
    noResults: 0,
    noResultRate: 0,
    clicks: 0,
    ctr: 0,
    carts: 0,
    orders: 0,
    revenue: 0,
    logged: 0,
  };
  return daysOf({ from, to }).map((day) => known.get(day) ?? { day, ...none });
}

function daysOf({ from, to }: Days): string[] {
  const count = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS));
}

const searchesOf = (apiKey: string, query: Days, signal: AbortSignal) => {
  const init = { params: { path: { apiKey }, query }, signal };
  return json(answerOf(api.GET('/admin/stores/{apiKey}/metrics/search', init)));
};

export type SearchNumbers = Awaited<ReturnType<typeof searchesOf>>;

export interface Rising {
  query: string;
  before: number;
  after: number;
}

const MOST_RISING = 20;

/** The queries that were searched more often in the later half of the days than in the earlier one. */
export function risingOf(earlier: SearchNumbers, later: SearchNumbers): Rising[] {
  const before = new Map(earlier.topTerms.map(({ query, searches }) => [query, searches]));
  const rows = later.topTerms.map(({ query, searches }) => ({
    query,
    before: before.get(query) ?? 0,
    after: searches,
  }));
  const rising = rows.filter((row) => row.after > row.before);
  return rising.sort((a, b) => b.after - b.before - (a.after - a.before)).slice(0, MOST_RISING);
}

export async function readSearches(apiKey: string, days: Days, signal: AbortSignal) {
  const [first, last] = [Date.parse(days.from), Date.parse(days.to)];
  const middle = first + Math.floor((last - first) / DAY_MS / 2) * DAY_MS;
  const [all, earlier, later] = await Promise.all([
    searchesOf(apiKey, days, signal),
    searchesOf(apiKey, { from: days.from, to: dayOf(middle) }, signal),
    searchesOf(apiKey, { from: dayOf(Math.min(middle + DAY_MS, last)), to: days.to }, signal),
  ]);
  return { all, rising: first === last ? [] : risingOf(earlier, later) };
}

export async function readCampaigns(apiKey: string, days: Days, signal: AbortSignal) {
  const path = { apiKey };
  // Until now, so that what was spent by each day follows from what is spent by now. Tomorrow has begun in some stores.
  const query = { from: days.from, to: dayOf(Math.max(Date.parse(days.to), Date.now() + DAY_MS)) };
  const [{ campaigns }, { rows }] = await Promise.all([
    answerOf(api.GET('/admin/stores/{apiKey}/campaigns', { params: { path }, signal })),
    json(answerOf(api.GET('/admin/stores/{apiKey}/metrics/showcase', { params: { path, query }, signal }))),
  ]);
  return campaigns.map((campaign) => {
    const all = rows.filter((row) => row.campaign === campaign.id);
    const own = all.filter(({ day }) => day <= days.to);
    const sum = (of: (row: (typeof rows)[number]) => number): number => own.reduce((total, row) => total + of(row), 0);
    const verdicts = new Map<string, number>();
    for (const { verdicts: counts } of own) {
      for (const [verdict, count] of Object.entries(counts))
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + count);
    }
    const numbers = {
      views: sum((row) => row.views),
      clicks: sum((row) => row.clicks),
      revenue: sum((row) => row.revenue),
    };
    return { campaign, ...numbers, verdicts: [...verdicts], spent: spentBy(campaign.spent.total, all, days) };
  });
}

/** What was spent in all by the end of each day. `total`: by now; `rows`: of every day since the first one. */
export function spentBy(
  total: number,
  rows: readonly { day: string; spend: number }[],
  days: Days,
): { day: string; value: number }[] {
  return daysOf(days).map((day) => {
    const later = rows.reduce((sum, row) => (row.day > day ? sum + row.spend : sum), 0);
    return { day, value: Math.max(0, total - later) };
  });
}

export type CampaignNumbers = Awaited<ReturnType<typeof readCampaigns>>[number];

/** The session's cookie comes along, so a link is enough. */
export const csvAddress = (store: string, metric: 'search' | 'showcase', days: Days, more = ''): string =>
  `/admin/stores/${encodeURIComponent(store)}/metrics/${metric}?${new URLSearchParams({ ...days, format: 'csv' })}${more}`;
