import type { JoinedSearch } from '../log/logged-search';
import { experimentResults } from './experiment-results';

const experiment = { name: 'spring', holdout: 0, variants: [{ name: 'bold', share: 50 }] };

const aSearch = (shopper: string, group: string, changes: Partial<JoinedSearch> = {}): JoinedSearch => ({
  store: 's1',
  searchId: 'x',
  at: 0,
  query: 'shoes',
  filters: [],
  source: '',
  salesChannel: null,
  shopper: `u:${shopper}`,
  isBot: false,
  page: 1,
  found: 10,
  template: 'default',
  variant: { experiment: 'spring', name: group },
  isPersonal: true,
  shown: ['p1'],
  first: 1,
  outcomes: [],
  ...changes,
});
const did = (kind: 'click' | 'cart' | 'order', micros = 0) => ({ at: 1, kind, product: 'p1', micros });

async function* pages(...all: JoinedSearch[][]): AsyncGenerator<JoinedSearch[]> {
  yield* all;
}

describe('experimentResults', () => {
  it('counts shoppers, not searches', async () => {
    const busy = Array.from({ length: 9 }, () => aSearch('busy', 'bold'));
    const { groups } = await experimentResults(
      experiment,
      pages(
        [...busy, aSearch('busy', 'bold', { outcomes: [did('click'), did('cart'), did('order', 5_000_000)] })],
        [aSearch('calm', 'bold', { outcomes: [did('click'), did('click')] }), aSearch('other', 'control')],
      ),
    );
    expect(groups.map(({ name, shoppers, searches }) => ({ name, shoppers, searches }))).toEqual([
      { name: 'control', shoppers: 1, searches: 1 },
      { name: 'bold', shoppers: 2, searches: 11 },
    ]);
    const { metrics } = groups[1]!;
    expect(metrics.ctr.mean).toBeCloseTo((1 / 10 + 1) / 2);
    expect(metrics.addToCart.mean).toBe(0.5);
    expect(metrics.conversion.mean).toBe(0.5);
    expect(metrics.revenue.mean).toBe(2.5);
    expect(metrics.ctr.toControl).toBeNull();
  });

  it('passes over bots, nobody in particular and other experiments; further pages are no search of their own', async () => {
    const { groups, shoppersLeftOut } = await experimentResults(
      experiment,
      pages([
        aSearch('bot', 'bold', { isBot: true }),
        aSearch('nobody', 'bold', { shopper: null }),
        aSearch('out', 'bold', { variant: null }),
        aSearch('else', 'bold', { variant: { experiment: 'autumn', name: 'bold' } }),
        aSearch('ana', 'bold'),
        aSearch('ana', 'bold', { page: 2, outcomes: [did('click'), did('order', 1_000_000)] }),
      ]),
    );
    expect(groups[1]).toMatchObject({ shoppers: 1, searches: 1, metrics: { ctr: { mean: 0 }, revenue: { mean: 1 } } });
    expect(shoppersLeftOut).toBe(0);
  });

  it('leaves out who was seen in more than one group, and says how many', async () => {
    const both = [aSearch('ana', 'bold'), aSearch('ana', 'control'), aSearch('bia', 'gone')];
    const { groups, shoppersLeftOut } = await experimentResults(experiment, pages(both));
    expect(groups.map(({ shoppers }) => shoppers)).toEqual([0, 0]);
    expect(shoppersLeftOut).toBe(2);
  });

  it('compares with the control, and tells a split that is off', async () => {
    const group = (name: string, size: number, clicks: number): JoinedSearch[] =>
      Array.from({ length: size }, (_, index) =>
        aSearch(`${name}-${index}`, name, { outcomes: index < clicks ? [did('click')] : [] }),
      );
    const found = await experimentResults(experiment, pages(group('control', 1000, 200), group('bold', 1000, 400)));
    expect(found).toMatchObject({ control: 'control', split: { isOff: false } });
    expect(found.groups[1]!.metrics.ctr.toControl).toMatchObject({ isDifferent: true });
    expect(found.groups[1]!.metrics.ctr.toControl!.difference).toBeCloseTo(0.2);
    expect(found.groups[0]!.metrics.ctr.toControl).toBeNull();
    const off = await experimentResults(experiment, pages(group('control', 1000, 200), group('bold', 800, 160)));
    expect(off.split.isOff).toBe(true);
  });

  it('compares with the first variant where nobody is left', async () => {
    const whole = {
      name: 'spring',
      holdout: 10,
      variants: [
        { name: 'a', share: 50 },
        { name: 'b', share: 50 },
      ],
    };
    const { control, groups } = await experimentResults(whole, pages([]));
    expect(control).toBe('a');
    expect(groups.map(({ name }) => name)).toEqual(['a', 'b', 'holdout']);
  });

  it('says whose picks shoppers choose in an interleaved variant: each shopper once, each product once', async () => {
    const mixed = { name: 'spring', holdout: 0, variants: [{ name: 'bold', share: 50, interleave: true as const }] };
    const dealt = (shopper: string, ...clicked: string[]): JoinedSearch =>
      aSearch(shopper, 'bold', {
        shown: ['p1', 'p2', 'p3'],
        teams: '-ab',
        outcomes: clicked.map((product) => ({ at: 1, kind: 'click', product, micros: 0 })),
      });
    const busy = Array.from({ length: 9 }, () => dealt('busy', 'p3', 'p3'));
    const calm = Array.from({ length: 40 }, (_, index) => dealt(`calm-${index}`, index < 10 ? 'p3' : 'p2'));
    const others = [dealt('busy', 'p2'), dealt('first', 'p1'), dealt('both', 'p2', 'p3'), aSearch('plain', 'control')];
    const { groups } = await experimentResults(mixed, pages(busy, calm, others));
    expect(groups.map(({ interleaving }) => interleaving)).toMatchObject([
      null,
      { won: 19, lost: 31, tied: 2, shoppers: 41, preference: { isDifferent: false } },
    ]);
    expect(groups[1]!.interleaving!.preference!.difference).toBeCloseTo((10 - 30 + 0.8) / 41, 12);
    const few = await experimentResults(mixed, pages(calm.slice(0, 29)));
    expect(few.groups[1]!.interleaving).toMatchObject({ shoppers: 29, preference: null });
  });
});
