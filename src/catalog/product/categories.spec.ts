import { categoriesOf, categoryKeys, categoryPaths, isSensitive } from './categories';

const shoes = [
  { id: 'moda', name: 'Moda', parents: [] },
  { id: 'moda > calcados', name: 'Calçados', parents: ['moda'] },
  { id: 'moda > calcados > tenis', name: 'Tênis', parents: ['moda', 'moda > calcados'] },
];
const keys = (sent: unknown): string[] =>
  categoryPaths(categoriesOf(sent)).map((path) => categoryKeys(path).at(-1) ?? '');

describe('categories', () => {
  it.each([
    ['a path', 'Moda > Calçados > Tênis'],
    ['a list with a path', ['Moda > Calçados>Tênis']],
    ['a list of names, the top first', ['Moda', 'Calçados', 'Tênis']],
  ])('are every level of %s', (_what, sent) => {
    expect(categoriesOf(sent)).toEqual(shoes);
  });

  it('keep the ids the store sent', () => {
    const sent = [
      { id: 12, name: 'Tênis', parents: ['3', '7'] },
      { id: 3, name: 'Moda' },
      { id: 7, name: 'Calçados', parents: [3] },
    ];
    expect(categoriesOf(sent)).toEqual([
      { id: '3', name: 'Moda', parents: [] },
      { id: '7', name: 'Calçados', parents: ['3'] },
      { id: '12', name: 'Tênis', parents: ['3', '7'] },
    ]);
    expect(keys(sent)).toEqual(['moda/calcados/tenis']);
  });

  it('find the levels above a direct parent', () => {
    const sent = [
      { id: 'c', name: 'Tênis', parents: ['b'] },
      { id: 'b', name: 'Calçados', parents: ['a'] },
      { id: 'a', name: 'Moda' },
    ];
    expect(keys(sent)).toEqual(['moda/calcados/tenis']);
  });

  it('survive parents that go round in a circle', () => {
    const sent = [
      { id: 'a', name: 'A', parents: ['b'] },
      { id: 'b', name: 'B', parents: ['a'] },
    ];
    expect(() => keys(sent)).not.toThrow();
  });

  it('can be several paths that share levels', () => {
    expect(keys(['Moda > Calçados > Tênis', 'Moda > Esporte'])).toEqual(['moda/calcados/tenis', 'moda/esporte']);
  });

  it('have keys a slash in a name does not cut', () => {
    expect(keys(['TV/Áudio > Som'])).toEqual(['tv audio/som']);
  });

  it.each([['saude > intima'], ['saude/intima'], ['saude'], ['Saúde']])(
    'are sensitive where the store names %s',
    (id) => {
      expect(isSensitive(categoriesOf('Saúde > Íntima > Cremes'), [id])).toBe(true);
    },
  );

  it('are sensitive by an id at any level, and not by one that is elsewhere', () => {
    const sent = categoriesOf([{ id: 9, name: 'Cremes', parents: ['1', '5'] }]);
    expect(isSensitive(sent, ['5'])).toBe(true);
    expect(isSensitive(sent, ['9'])).toBe(true);
    expect(isSensitive(sent, ['6', 'saude'])).toBe(false);
  });
});
