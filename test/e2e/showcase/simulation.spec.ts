import { Agent } from 'node:http';
import { Dice } from '../../support/dice';
import { describeModes } from '../../support/modes';
import { overHttp } from '../../support/service-process';
import { aCampaign, goods, type MetricsRow, ShowcaseShop } from '../../support/showcase-shop';
import { type HandedOut, ShowcaseTruth, type TrueCampaign, type TrueVisit } from '../../support/showcase-truth';
import type { TrueOrder } from '../../support/true-orders';
import { must, type Reply, type Send } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Writes wait for Elasticsearch's disk. */
const STEPS = { embedded: 3000, production: 2000 };
const DAYS = 6;
const USERS = 60;
const LIMITS = { clicksPerMinute: 20, usersPerHour: 15, addressShare: 0.5, addressClicks: 6 };
const RULES = { linkHours: 24, attributionDays: 2, ...LIMITS };
const BOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';
/** Cents, but for `bid` and `budget` of the wire. */
const CAMPAIGNS: readonly [id: string, campaign: TrueCampaign][] = [
  ['rich', { bid: 37, budget: 10_000_000, dailyBudget: Infinity, paused: false }],
  ['daily', { bid: 110, budget: 10_000_000, dailyBudget: 1500, paused: false }],
  ['poor', { bid: 99, budget: 4000, dailyBudget: Infinity, paused: false }],
  ['paused', { bid: 50, budget: 10_000_000, dailyBudget: Infinity, paused: false }],
];
const PLACEMENTS = ['home', 'category', 'search'];

describeModes((mode) => {
  let whole: WholeApp;
  let shop: ShowcaseShop;
  const dice = new Dice(20_260_606);
  const campaigns = new Map(CAMPAIGNS);
  const truth = new ShowcaseTruth(campaigns, RULES);
  const cards: HandedOut[] = [];
  const orders: Pick<TrueOrder, 'id' | 'user' | 'lines'>[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const counts = { shown: 0, views: 0, clicks: 0, forged: 0, orders: 0, refunds: 0 };
  let serial = 0;

  beforeAll(async () => {
    whole = await startWholeApp(mode);
    await whole.app.listen(0, '127.0.0.1');
    const { port } = whole.app.getHttpServer().address() as { port: number };
    const send: Send = (call) => overHttp(call, port, agent);
    // What is credited later is another matter: an hour goes by in a moment here.
    const showcase = { ...LIMITS, brandShare: 1, creditInvalid: false };
    const settings = { attributionDays: RULES.attributionDays, showcase };
    shop = new ShowcaseShop((await whole.store('loja', { settings })).through(send));
    await shop.store.putMany(
      [...campaigns.keys()].flatMap((id) => [1, 2, 3, 4].map((number) => goods(`${id}-${number}`))),
    );
    for (const id of campaigns.keys()) await put(id);
  });
  afterAll(async () => {
    agent.destroy();
    await whole.close();
  });

  const put = (id: string): Promise<unknown> => {
    const { bid, budget, dailyBudget, paused } = campaigns.get(id) as TrueCampaign;
    return shop.campaign(
      id,
      aCampaign(
        [1, 2, 3, 4].map((number) => `${id}-${number}`),
        {
          bid: bid / 100,
          budget: budget / 100,
          ...(dailyBudget === Infinity ? {} : { dailyBudget: dailyBudget / 100 }),
          status: paused ? 'paused' : 'active',
        },
      ),
    );
  };
  const user = (): string => `user-${dice.below(USERS)}`;
  const now = (): number => whole.clock.time;

  async function showSomebody(): Promise<void> {
    const [who, placement] = [user(), dice.of(PLACEMENTS)];
    const page = { category: { categories: 'Moda > Calçados' }, search: { search: 'tênis' } }[placement] ?? {};
    const [widget] = await shop.widgets({ placement, ...page }, { 'x-user-id': who });
    if (!widget) return;
    counts.shown += 1;
    const handed = widget.data.map(({ id, link, px }): HandedOut => {
      return { link, px, product: id, campaign: id.split('-')[0] ?? '', placement, user: who, issuedAt: now() };
    });
    cards.push(...handed);
    const visit = aVisit();
    const seen = handed.filter(() => dice.below(2) === 0);
    await view(widget.px, visit, () => truth.widget(widget.px, handed[0] as HandedOut, visit));
    for (const card of seen) await view(card.px, visit, () => truth.view(card, visit));
    if (dice.below(3) === 0) await view(widget.px, visit, () => truth.widget(widget.px, handed[0] as HandedOut, visit));
  }

  async function view(px: string, visit: TrueVisit, count: () => void): Promise<void> {
    count();
    counts.views += 1;
    const reply = await shop.follow(px, headersOf(visit));
    if (reply.status !== 200) throw new Error(`A view was answered ${reply.status} ${reply.text}`);
  }

  function aVisit(changes: Partial<TrueVisit> = {}): TrueVisit {
    serial += 1;
    const address = `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`;
    const kind = dice.of(['person', 'person', 'person', 'person', 'person', 'person', 'bot', 'prefetch'] as const);
    return { at: now(), userId: null, kind, address, keys: false, ...changes };
  }

  function headersOf({ userId, kind, address, keys }: TrueVisit): Record<string, string> {
    return {
      'x-forwarded-for': address,
      ...(userId === null ? {} : { 'x-user-id': userId }),
      ...(kind === 'bot' ? { 'user-agent': BOT } : {}),
      ...(kind === 'prefetch' ? { 'sec-purpose': 'prefetch' } : {}),
      ...(keys ? shop.store.headers : {}),
    };
  }

  async function click(card: HandedOut, visit: TrueVisit): Promise<void> {
    const verdict = truth.click(card, visit);
    counts.clicks += 1;
    const plain = dice.below(2) === 0;
    const reply: Reply = await shop.follow(plain ? card.link : `${card.link}&redirect=0`, headersOf(visit));
    if (plain)
      expect([reply.status, reply.headers['location']]).toEqual([302, `https://loja.example/p/${card.product}`]);
    else expect([verdict, reply.status, reply.json]).toEqual([verdict, 200, { counted: verdict === 'valid' }]);
  }

  async function clickSomething(): Promise<void> {
    // Mostly what was shown lately, at times what is long gone.
    const recent = cards.slice(dice.below(4) === 0 ? -2000 : -60);
    const card = recent[dice.below(recent.length)];
    if (!card) return;
    const userId = dice.of([null, null, card.user, user()]);
    const visit = aVisit({ userId, keys: dice.below(12) === 0 });
    const times = dice.below(5) === 0 ? 3 : 1;
    for (let time = 0; time < times; time += 1) await click(card, visit);
  }

  async function crowd(): Promise<void> {
    const card = cards.at(-1);
    if (!card) return;
    // One link that went round, and one address that clicks whatever there is.
    for (let other = 0; other < 25; other += 1) {
      await click(card, aVisit({ userId: `crowd-${other}`, kind: 'person' }));
    }
    const address = `192.0.2.${dice.below(200)}`;
    for (const one of cards.slice(-26)) await click(one, aVisit({ kind: 'person', address }));
  }

  async function forge(): Promise<void> {
    const card = cards.at(-1);
    if (!card) return;
    const at = card.link.length - 2 - dice.below(40);
    const changed = `${card.link.slice(0, at)}${card.link[at] === 'x' ? 'y' : 'x'}${card.link.slice(at + 1)}`;
    truth.forged(now());
    counts.forged += 1;
    expect((await shop.follow(changed)).status).toBe(400);
  }

  async function order(): Promise<void> {
    const who = user();
    const id = `order-${(serial += 1)}`;
    const products = [...new Set([1, 2, 3].map(() => `${dice.of([...campaigns.keys()])}-${1 + dice.below(4)}`))];
    const lines = products.map((product) => ({
      product,
      quantity: 1 + dice.below(3),
      cents: 100 + dice.below(90_000),
    }));
    const proven = dice.below(2) === 0;
    const foreignCurrency = dice.below(10) === 0;
    if (dice.below(8) === 0) await confirm({ id, user: who, lines });
    // Whoever knows the id may claim it first.
    if (dice.below(6) === 0) await convert({ id, user: user(), at: now(), lines, proven: false, foreignCurrency });
    for (let times = dice.below(4) === 0 ? 2 : 1; times > 0; times -= 1) {
      await convert({ id, user: who, at: now(), lines, proven, foreignCurrency });
    }
    orders.push({ id, user: who, lines });
  }

  async function convert(bought: TrueOrder): Promise<void> {
    truth.orders.sell(bought);
    counts.orders += 1;
    const products = bought.lines.map(({ product, quantity, cents }) => {
      return { sku: product, qty: quantity, price: cents / 100 / quantity };
    });
    const conv = { tId: bought.id, currency: bought.foreignCurrency ? 'USD' : 'BRL', products, total: 1 };
    expect((await shop.convert(conv, bought.user, { keys: bought.proven })).status).toBe(200);
  }

  /** The store's backend names an order: mostly as it was, at times of another user, with other products or at other prices. */
  async function confirm({ id, user: who, lines }: Pick<TrueOrder, 'id' | 'user' | 'lines'>): Promise<void> {
    const proof = {
      user: dice.of([who, who, who, user(), null]),
      lines: lines
        .slice(dice.below(4) === 0 ? 1 : 0)
        .map((line) => ({ ...line, cents: dice.below(3) === 0 ? 100 * line.quantity : line.cents })),
    };
    truth.orders.confirm(id, proof);
    const items = proof.lines.map(({ product, quantity, cents }) => {
      return { pid: product, quantity, price: cents / 100 / quantity };
    });
    const body = { ...shop.store.keys, id, items, ...(proof.user === null ? {} : { userId: proof.user }) };
    const reply = await shop.store.send({ method: 'POST', path: '/v7/events/views/transaction', body });
    expect(reply.status).toBe(204);
  }

  async function refund(): Promise<void> {
    const known = orders[dice.below(orders.length)];
    if (!known) return;
    const { product } = dice.of(known.lines);
    const back = { product, quantity: 1, cents: 1 + dice.below(50_000) };
    truth.orders.refund(known.id, back);
    counts.refunds += 1;
    const products = [{ sku: back.product, qty: -1, price: back.cents / 100 }];
    const unproven = await shop.convert({ tId: known.id, products }, known.user);
    expect(unproven.status).toBe(403);
    for (let times = 0; times < 2; times += 1) {
      expect((await shop.convert({ tId: known.id, products }, known.user, { keys: true })).status).toBe(200);
    }
  }

  async function pause(): Promise<void> {
    const campaign = campaigns.get('paused') as TrueCampaign;
    campaign.paused = !campaign.paused;
    await put('paused');
  }

  async function step(): Promise<void> {
    const chance = dice.below(100);
    if (chance < 22) await showSomebody();
    else if (chance < 78) await clickSomething();
    else if (chance < 88) await order();
    else if (chance < 92) await refund();
    else if (chance < 94)
      await confirm(orders[dice.below(Math.max(1, orders.length))] ?? { id: 'unknown', user: 'nobody', lines: [] });
    else if (chance < 98) await forge();
    else if (chance < 99) await pause();
    else await crowd();
  }

  it('counts what happened, verdict by verdict, over users and days', async () => {
    const steps = STEPS[mode.name];
    const pace = (DAYS * 86_400_000) / steps;
    for (let number = 0; number < steps; number += 1) {
      await step();
      whole.clock.advance(Math.floor(pace / 2 + dice.below(pace)));
    }
    const metrics = await shop.metrics({ from: '2026-01-01', to: '2026-02-28' });
    const due = truth.metrics();
    expect(metrics.rows.map(nameOf).toSorted()).toEqual(due.rows.map(nameOf).toSorted());
    const known = new Map(due.rows.map((row) => [nameOf(row), row]));
    for (const row of metrics.rows) expect(row).toEqual(known.get(nameOf(row)));
    expect(metrics.widgets.map((row) => JSON.stringify(row)).toSorted()).toEqual(
      due.widgets.map((row) => JSON.stringify(row)).toSorted(),
    );
    // It had something to count: thousands of interactions, and every verdict there is.
    const verdicts = new Set(metrics.rows.flatMap((row) => Object.keys(row.verdicts)));
    expect([...verdicts].toSorted()).toEqual(
      [
        'bot',
        'burst',
        'currency',
        'duplicate',
        'expired',
        'forged',
        'over_budget',
        'prefetch',
        'shared',
        'valid',
      ].toSorted(),
    );
    expect(counts.views + counts.clicks).toBeGreaterThan(steps);
    expect(Math.min(counts.forged, counts.orders, counts.refunds)).toBeGreaterThan(20);
    expect(metrics.rows.reduce((sum, { conversions }) => sum + conversions, 0)).toBeGreaterThan(20);
  }, 600_000);

  it('adds up: the rollups, the ledger, the spend of each campaign, and the table of the same', async () => {
    const report = must(await shop.store.admin({ method: 'POST', path: '/metrics/showcase/check' }), 200);
    expect(report).toMatchObject({ consistent: true, differences: [], spend: [] });
    expect(Number(report['entries'])).toBeGreaterThanOrEqual(counts.views + counts.clicks + counts.forged);
    for (const id of campaigns.keys()) {
      const { spent } = must(await shop.store.admin({ path: `/campaigns/${id}` }), 200) as { spent: { total: number } };
      expect([id, Math.round(spent.total * 100)]).toEqual([id, truth.spentBy(id)]);
    }
    const query = { from: '2026-01-01', to: '2026-02-28', format: 'csv' };
    const table = await shop.store.admin({ path: '/metrics/showcase', query });
    const [names = '', ...lines] = table.text.trim().split('\r\n');
    expect(lines).toHaveLength(truth.metrics().rows.length);
    const column = (name: string): number => names.split(',').indexOf(name);
    const sum = (name: string): number => lines.reduce((all, line) => all + Number(line.split(',')[column(name)]), 0);
    expect([sum('views') + sum('clicks'), Math.round(sum('spend') * 100)]).toEqual([
      truth.metrics().rows.reduce((all, { views, clicks }) => all + views + clicks, 0),
      [...campaigns.keys()].reduce((all, id) => all + truth.spentBy(id), 0),
    ]);
  });
});

const nameOf = ({ day, campaign, product, placement }: MetricsRow): string =>
  [day, campaign, product, placement].join(' ');
