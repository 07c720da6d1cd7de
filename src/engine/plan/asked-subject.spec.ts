import type { PlanTerm } from './query-plan';
import { aboutStep, askedSubject, subjectTokens } from './asked-subject';

const term = (word: string, more: Partial<PlanTerm> = {}): PlanTerm => ({
  word,
  variants: [
    { token: word, kind: 'typed', weight: 1 },
    { token: word, kind: 'stem', weight: 0.9 },
  ],
  weight: 1,
  ...more,
});

/** Products that a word is in, those it is the noun of, and those of which it is the brand. */
const catalog = (words: Record<string, [all: number, named: number, branded?: number]>) => {
  const of = (word: string): [number, number, number] => {
    const [all = 0, named = 0, branded = 0] = words[word] ?? [];
    return [all, named, branded];
  };
  return {
    ofVariant: ({ token }: { token: string }) => [of(token)[0], of(token)[2]],
    ofToken: (token: string) => {
      const [all, named, branded] = of(token.slice(1));
      return token.startsWith('N') ? [named, 0] : [all, branded];
    },
  };
};

describe('what a query is about', () => {
  const frequencies = catalog({ filtro: [40, 20], cafeteira: [60, 18], zentric: [90, 1] });
  const named = (terms: PlanTerm[], language: string) => askedSubject({ terms }, language, frequencies).named;

  it('is its first noun, or its last where the language puts it there', () => {
    expect(named([term('filtro'), term('cafeteira')], 'pt')).toEqual(['Nfiltro']);
    expect(named([term('filtro'), term('cafeteira')], 'en')).toEqual(['Ncafeteira']);
  });

  it('is no word that the catalog hardly ever uses as one', () => {
    expect(named([term('zentric'), term('cafeteira')], 'pt')).toEqual(['Ncafeteira']);
    expect(named([term('zentric')], 'pt')).toEqual([]);
  });

  it('is no word behind "for", unless there is no other', () => {
    expect(named([term('filtro'), term('cafeteira', { aside: true })], 'en')).toEqual(['Nfiltro']);
    expect(named([term('cafeteira', { aside: true })], 'en')).toEqual(['Ncafeteira']);
  });

  it('is of a brand where the catalog uses a word as one, unless that is what it is about', () => {
    const brands = catalog({ zentric: [90, 1, 40], papel: [60, 20, 18], z15: [30, 0, 0], azul: [200, 0, 3] });
    const brandOf = (...words: string[]) =>
      askedSubject({ terms: words.map((word) => term(word)) }, 'pt', brands).brand;
    expect(brandOf('z15', 'zentric')).toEqual(['wzentric']);
    expect(brandOf('papel', 'azul')).toEqual([]);
  });

  it('asks for the frequencies of every stem once', () => {
    expect(subjectTokens([term('filtro'), term('filtro')], 'pt')).toEqual(['Nfiltro']);
  });
});

const plain = { isNamed: false, standsAside: false, isOfBrand: false, isInCategory: false, isChosen: false };

describe('a product', () => {
  it('is a step behind the thing asked for where it is something else, and another where it is for that', () => {
    const asked = { named: ['Nx'], aside: ['Ax'], brand: [], category: ['Cx'], chosen: [] };
    expect(aboutStep(asked, { ...plain, isNamed: true, standsAside: true })).toBe(0);
    expect(aboutStep(asked, plain)).toBe(1);
    expect(aboutStep(asked, { ...plain, standsAside: true })).toBe(2);
    expect(aboutStep(asked, { ...plain, isInCategory: true })).toBe(0);
    expect(aboutStep(asked, { ...plain, isInCategory: true, standsAside: true })).toBe(2);
  });

  it('is behind only where it is for something, in a query that names nothing', () => {
    const asked = { named: [], aside: ['Ax'], brand: [], category: ['Cx'], chosen: [] };
    expect(aboutStep(asked, plain)).toBe(0);
    expect(aboutStep(asked, { ...plain, standsAside: true })).toBe(1);
  });

  it('is behind where it only says the name of a brand that is asked for', () => {
    const asked = { named: [], aside: ['Ax'], brand: ['wx'], category: ['Cx'], chosen: [] };
    expect(aboutStep(asked, { ...plain, isOfBrand: true })).toBe(0);
    expect(aboutStep(asked, plain)).toBe(1);
  });

  it('is the thing itself where it is in a category that shoppers choose from, whatever its name says', () => {
    const asked = { named: [], aside: ['Ax'], brand: [], category: ['Cx'], chosen: ['Cy'] };
    expect(aboutStep(asked, { ...plain, isChosen: true, standsAside: true })).toBe(0);
    expect(aboutStep(asked, { ...plain, isInCategory: true })).toBe(0);
    expect(aboutStep(asked, plain)).toBe(1);
    expect(aboutStep(asked, { ...plain, standsAside: true })).toBe(2);
  });
});
