import { categoryKey, isHeadFirst, subjectOf, wordsAside } from './subject';

/** The levels of one path. */
const path = (...labels: string[]) =>
  labels.map((label, depth) => ({
    key: labels.slice(0, depth + 1).join('/'),
    label,
    parent: depth === 0 ? null : labels.slice(0, depth).join('/'),
  }));

describe('what a product is', () => {
  it('is the first noun of its name, and what it is for stands aside', () => {
    const { named, aside } = subjectOf({ name: 'Cápsulas Ristretto para Cafeteira Dulcora', categories: [] }, 'pt-BR');
    expect(named).toEqual(['capsula']);
    expect(aside).toEqual(['cafeteira', 'dulcora']);
  });

  it('knows prepositions cut short from letters that stand alone', () => {
    expect(subjectOf({ name: 'Filtro p/cafeteira c/ cabo', categories: [] }, 'pt').aside).toEqual([
      'cafeteira',
      'cabo',
    ]);
    expect(subjectOf({ name: 'Sérum Vitamina C 30 ml', categories: [] }, 'pt').aside).toEqual([]);
  });

  it('is the noun of its last category, too, of each of them where there are several', () => {
    const categories = path('Eletrônicos', 'Celulares', 'Capas e Películas de Vidro');
    expect(subjectOf({ name: 'Kit Z15', categories }, 'pt').named).toEqual(['kit', 'capa', 'pelicula']);
  });

  it('is the last noun of the category in English', () => {
    const categories = path('Small Appliances', 'Coffee Makers');
    const { named, aside } = subjectOf({ name: 'Ferralia Espresso Coffee Maker with Grinder, Red', categories }, 'en');
    expect(named).toEqual(['maker']);
    expect(aside).toEqual(['grinder']);
  });

  it('is not what its category is called where the name says it is for that', () => {
    const categories = path('Casa', 'Cafeteiras');
    expect(subjectOf({ name: 'Filtro de papel para cafeteira', categories }, 'pt').named).toEqual(['filtro']);
  });

  it('is what its last category shares with the one above it', () => {
    const categories = path('Grocery', 'Potatoes', 'Potatoes Russet');
    expect(subjectOf({ name: '', categories }, 'en').named).toEqual(['russet', 'potato']);
  });

  it('does not hide behind a preposition the words that stand in front of it, too', () => {
    expect(subjectOf({ name: 'Carregador Zentric para Zentric Z15', categories: [] }, 'pt').aside).toEqual(['z15']);
  });

  it('is not known in a language whose grammar is not', () => {
    expect(subjectOf({ name: 'Kaffee für Maschine', categories: path('Kaffee') }, 'de')).toEqual({
      named: [],
      aside: [],
      categories: [],
    });
  });
});

describe('a category', () => {
  it('is named by its words in any order and number', () => {
    const { categories } = subjectOf({ name: '', categories: path('Food', 'Fluid Milk & Products') }, 'en');
    expect(categories).toEqual(['food', 'fluid milk product']);
    expect(categoryKey(['product', 'fluid', 'milks'], 'en')).toBe('fluid milk product');
  });
});

describe('what a query asks for', () => {
  it('has words behind a preposition aside', () => {
    expect(wordsAside('filters for coffee maker', 'en')).toEqual(new Set(['coffee', 'maker']));
    expect(wordsAside('com', 'pt')).toEqual(new Set());
    expect(wordsAside('für Maschine', 'de')).toEqual(new Set());
  });

  it('names its noun first or last, as the language does', () => {
    expect(['pt-BR', 'es', 'en'].map(isHeadFirst)).toEqual([true, true, false]);
  });
});
