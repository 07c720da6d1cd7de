import type { FacetKey } from './facet-registry';
import { parseFilters, parseKnownFilters, planFilters } from './parse-filters';

const keys = new Map<number, FacetKey>([
  [1, 'filter:brand'],
  [2, 'brand:acme'],
  [3, 'filter:price'],
  [4, 'unit:BRL'],
  [5, 'filter:category'],
  [6, 'category:shoes/running'],
  [7, 'filter:spec.tamanho'],
  [8, 'spec.tamanho:40'],
]);
const lookup = { keyOf: (_store: string, id: number) => Promise.resolve(keys.get(id)) };
const parse = (...filters: string[]) => parseKnownFilters('s', filters, lookup);
/** Without what was written. */
const read = async (...filters: string[]): Promise<object[]> =>
  (await parse(...filters)).map(({ filter: _filter, ...selection }) => selection);

describe('the filters of a search', () => {
  it('are read by the ids of a reply', async () => {
    expect(await read('d:1:2', 'd:5:6', 'c:3:4:10:20.5', 'd:7:8', 'd:8:8')).toEqual([
      { kind: 'brand', key: 'acme' },
      { kind: 'category', key: 'shoes/running' },
      { kind: 'price', min: 10, max: 20.5 },
      { kind: 'spec.tamanho', key: '40' },
      { kind: 'spec.tamanho', key: '40' },
    ]);
  });

  it('are read where a client in the field writes the id of the value twice', async () => {
    expect(await read('d:2:2')).toEqual([{ kind: 'brand', key: 'acme' }]);
  });

  it('are read in words, whatever their casing and accents', async () => {
    const words = ['tag:Promoção', 'spec.Tamanho:40', 'detail.Matéria Prima:Algodão: puro', 'availability:Available'];
    expect(await read(...words, 'discount:10..50')).toEqual([
      { kind: 'tag', key: 'promocao' },
      { kind: 'spec.tamanho', key: '40' },
      {
        kind: 'detail.materia prima',
        key: 'algodao: puro',
        others: [{ kind: 'detail.materia prima algodao', key: 'puro' }],
      },
      { kind: 'availability', key: 'available' },
      { kind: 'discount', min: 10, max: 50 },
    ]);
    expect(await read('category:Shoes/Running')).toEqual([
      { kind: 'category', key: 'shoes/running', spelled: 'Shoes/Running' },
    ]);
    expect(await read('brand:Ácme', 'price:50..', 'price:..9.9')).toEqual([
      { kind: 'brand', key: 'acme' },
      { kind: 'price', min: 50, max: null },
      { kind: 'price', min: null, max: 9.9 },
    ]);
  });

  it.each([
    ['d:1:99', 'never handed out'],
    ['d:5:2', 'is no value of 5'],
    ['d:1:1', 'is not a value'],
    ['d:1:2:3', 'too many parts'],
    ['d:x:y', 'is no id'],
    ['d:abc:99', 'is no id'],
    ['d:99999999999:2', 'never handed out'],
    ['c:3:4:10', 'needs four parts'],
    ['c:1:4:1:2', 'is not continuous'],
    ['c:3:2:1:2', 'is not a unit'],
    ['c:3:4::', 'neither bound'],
    ['c:3:4:9:1', 'above the upper'],
    ['price:5', 'not a price range'],
    ['discount:half', 'not a discount range'],
    ['availability:soon', 'neither available nor unavailable'],
    ['spec:40', 'names no attribute'],
    ['spec.:40', 'names no attribute'],
    ['spec.*:40', 'names no attribute'],
    ['price:-..-', 'not a number'],
    ['colour:red', 'names no attribute'],
    ['brand:', 'has no value'],
    ['nonsense', 'names no attribute'],
  ])('refuse %s, saying what is accepted', async (filter, problem) => {
    await expect(parse(filter)).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringMatching(new RegExp(`${problem}.*accepted are`)),
    });
  });

  it('are ignored where their ids are of another system, and read beside such', async () => {
    const strange = ['d:1:99', 'd:5:2', 'd:1:1', 'd:99999999999:2', 'c:1:4:1:2', 'c:3:2:1:2'];
    expect(await parseFilters('s', ['d:1:2', ...strange], lookup)).toEqual({
      selections: [{ filter: 'd:1:2', kind: 'brand', key: 'acme' }],
      ignored: strange,
    });
    await expect(parseFilters('s', ['d:abc:def'], lookup)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('are ORed within a facet and ANDed between facets', async () => {
    expect(planFilters(await parse('brand:a', 'price:1..2', 'brand:b', 'price:3..4'))).toEqual([
      { kind: 'brand', keys: ['a', 'b'] },
      {
        kind: 'price',
        ranges: [
          { min: 1, max: 2 },
          { min: 3, max: 4 },
        ],
      },
    ]);
  });
});
