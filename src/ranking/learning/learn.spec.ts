import { productFeatures, type ProductFeatures } from '../vectors/features';
import { CatalogLearner, type LearnedModel, type Purchase, StoreLearner } from './learn';
import { logLikelihood } from './learn-related';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const options = { now: NOW, short: 7 * DAY, middle: 14 * DAY, long: 180 * DAY };

const product = (id: string, leaf = 'Leaf', brand = 'Acme'): ProductFeatures =>
  productFeatures({ id, name: '', brand, categories: [['Top', leaf]] });
const purchase = (userId: string, bought: ProductFeatures, daysAgo = 1): Purchase => ({
  userId,
  product: bought,
  at: NOW - daysAgo * DAY,
});

function learn(purchases: Purchase[], catalog: ProductFeatures[] = [], batch = purchases.length || 1): LearnedModel {
  const learner = new StoreLearner(options);
  learner.addCatalog(catalog);
  for (let at = 0; at < purchases.length; at += batch) learner.addPurchases(purchases.slice(at, at + batch));
  return learner.finish();
}

/** The products that have related ones. */
const relatedIn = ({ productStats }: LearnedModel) =>
  new Map([...productStats].filter(([, { related }]) => related.length > 0).map(([id, { related }]) => [id, related]));

/** Buyers of `a` who also buy `b`, among strangers who buy other things. */
function pairBoughtBy(users: number): Purchase[] {
  const together = Array.from({ length: users }, (_, user) => [
    purchase(`u${user}`, product('a')),
    purchase(`u${user}`, product('b')),
  ]);
  const strangers = Array.from({ length: 100 }, (_, user) => [purchase(`s${user}`, product(`c${user % 10}`))]);
  return [...together, ...strangers].flat();
}

const milk = (user: string) => [
  purchase(user, product('milk', 'Milk'), 60),
  purchase(user, product('milk', 'Milk'), 2),
];
const tv = (user: string, daysAgo = 60) => [purchase(user, product('tv', 'Televisions'), daysAgo)];

describe('what a store learns from its purchases', () => {
  it('counts new buyers for trend, each person once, by the age of the first purchase', () => {
    const { trend } = learn([
      purchase('u', product('a'), 14),
      purchase('u', product('a'), 1),
      purchase('v', product('a'), 14),
    ]);
    expect(trend.get('a')?.S).toBeCloseTo(0.5, 12);
    expect(trend.get('a')?.M).toBeCloseTo(1, 12);
    expect(trend.get('a')?.L).toBeCloseTo(2 * 2 ** (-14 / 180), 12);
  });

  it('knows products nobody bought, and nothing of the future', () => {
    const model = learn([purchase('u', product('a'), -1)], [product('a')]);
    expect(model.trend.get('a')).toEqual({ S: 0, M: 0, L: 0 });
    expect(model.purchases).toBe(0);
  });

  it('takes shares of scoped features within their top category', () => {
    const shoe = productFeatures({ id: '1', brand: 'Acme', categories: [['Shoes']] });
    const other = productFeatures({ id: '2', brand: 'Other', categories: [['Shoes']] });
    const hat = productFeatures({ id: '3', brand: 'Acme', categories: [['Hats']] });
    const { shares } = learn([], [shoe, other, hat]);
    expect(shares.get('brand:acme')).toBeCloseTo(2 / 3, 12);
    expect(shares.get('brand@category:acme@shoes')).toBeCloseTo(1 / 2, 12);
    expect(shares.get('brand@leaf:acme@hats')).toBeCloseTo(1, 12);
  });

  it('takes the same of a catalog of which nothing was sold, with no word of each product', () => {
    const catalog = Array.from({ length: 300 }, (_, index) => {
      const categories = [['Shoes', `Kind ${index % 7}`], ...(index % 3 === 0 ? [['Sale']] : [])];
      return productFeatures({ id: `p${index}`, name: `Shoe ${index % 11}`, brand: `Brand ${index % 13}`, categories });
    });
    const learner = new CatalogLearner();
    learner.add(catalog.slice(0, 100));
    learner.add(catalog.slice(100));
    const model = learner.finish();
    const { trend: _trend, ...whole } = learn([], catalog);
    expect(model).toEqual(whole);
    expect([...model.shares.keys()]).toEqual([...whole.shares.keys()]);
  });

  it('relates products that at least three people bought, more often than by chance', () => {
    expect(relatedIn(learn(pairBoughtBy(2))).size).toBe(0);
    const related = relatedIn(learn(pairBoughtBy(5)));
    expect(related.get('a')?.map(([id]) => id)).toEqual(['b']);
    expect(related.get('b')?.map(([id]) => id)).toEqual(['a']);
    expect(logLikelihood({ both: 10, a: 50, b: 20, all: 100 })).toBe(0);
    expect(logLikelihood({ both: 10, a: 10, b: 10, all: 100 })).toBeCloseTo(65.017, 2);
  });

  it('needs strong evidence: a few common buyers in a small shop relate nothing', () => {
    const everyone = Array.from({ length: 6 }, (_, user) => [
      purchase(`u${user}`, product('a')),
      purchase(`u${user}`, product('b')),
    ]);
    const others = Array.from({ length: 2 }, (_, user) => [purchase(`s${user}`, product('c'))]);
    expect(relatedIn(learn([...everyone, ...others].flat())).size).toBe(0);
  });

  it('learns which categories are bought again, and stays near 1 with little data', () => {
    const users = Array.from({ length: 2000 }, (_, user) => `u${user}`);
    const much = learn([...users.flatMap(milk), ...users.flatMap((user) => tv(user))]).productStats;
    expect(much.get('milk')?.repurchase).toBeGreaterThan(1.2);
    expect(much.get('tv')?.repurchase).toBeLessThan(0.5);
    const little = learn([...milk('u'), ...tv('v')]).productStats;
    expect(little.get('tv')?.repurchase).toBeGreaterThan(0.95);
  });

  it('tells products of a category apart, and takes one that few bought to be like its category', () => {
    const users = Array.from({ length: 500 }, (_, user) => `u${user}`);
    const again = (user: string, id: string, times: number): Purchase[] =>
      Array.from({ length: times }, (_, time) => purchase(user, product(id, 'Milk'), 60 - time));
    const rates = learn(
      users.flatMap((user, number) => [
        ...again(user, 'fresh', number % 10 === 0 ? 2 : 1),
        ...again(user, 'powder', number % 50 === 0 ? 2 : 1),
        ...(number < 2 ? again(user, 'new', 1) : []),
      ]),
    ).productStats;
    const of = (id: string): number => rates.get(id)?.repurchase ?? 1;
    expect(of('fresh')).toBeGreaterThan(1.5 * of('powder'));
    expect(of('new')).toBeGreaterThan(of('powder'));
    expect(of('new')).toBeLessThan(of('fresh'));
  });

  it('learns that nothing is bought again where nobody does, and nothing from those who had no time to', () => {
    const users = Array.from({ length: 5000 }, (_, user) => `u${user}`);
    const once = learn(users.flatMap((user) => tv(user))).productStats;
    expect(once.get('tv')?.repurchase).toBeLessThan(0.15);
    const lately = learn(users.flatMap((user) => tv(user, 20))).productStats;
    expect(lately.get('tv')?.repurchase ?? 1).toBe(1);
  });

  it('gives the same model whatever the batches', () => {
    const purchases = pairBoughtBy(20);
    expect(learn(purchases, [], 1)).toEqual(learn(purchases, [], 37));
  });

  it('bounds what one buyer of everything costs', () => {
    const everything = Array.from({ length: 3000 }, (_, index) =>
      purchase('wholesaler', product(`p${index}`), index / 100),
    );
    const model = learn(everything);
    expect(relatedIn(model).size).toBe(0);
    expect(model.trend.size).toBe(3000);
  });
});
