import { shopTables } from './measure';
import { halves, languages, queryKinds, textQueries } from './queries';
import { textShop } from './text-shop';

const NOW = Date.UTC(2026, 5, 1);

describe('the queries that shoppers type', () => {
  const queries = textQueries();

  it.each(languages)('ask for something that the %s shop has', (language) => {
    const products = textShop(shopTables[language], NOW);
    const own = queries.filter((query) => query.language === language);
    const impossible = own.filter((query) => !products.some((product) => query.isRight(product)));
    expect(impossible.map(({ terms }) => terms)).toEqual([]);
    expect(own.filter((query) => products.every((product) => query.isRight(product)))).toEqual([]);
  });

  it.each(halves)('are in three languages in equal parts, of every kind: %s the work', (half) => {
    const counts = languages.map((language) => {
      const own = queries.filter((query) => query.half === half && query.language === language);
      expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(queryKinds));
      return own.length;
    });
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(40);
    expect(new Set(counts).size).toBe(1);
  });

  it('are asked once each', () => {
    const asked = queries.map(({ language, terms }) => `${language} ${terms}`);
    expect(asked).toEqual([...new Set(asked)]);
  });

  it('has shops whose products are the same every time', () => {
    expect(textShop(shopTables.pt, NOW)).toEqual(textShop(shopTables.pt, NOW));
  });
});
