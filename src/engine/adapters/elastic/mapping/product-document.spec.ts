import { partId, partNumber } from './product-document';

test('documents keep the ids and numbers that earlier versions gave them', () => {
  const product = 'tênis/42 ß';
  expect([partId(product), partId(product, 2)]).toEqual([
    '_x56AoroqasW2oXgYMM2sVLhHFZq-nNllDRVuOLwF-U',
    '_x56AoroqasW2oXgYMM2sVLhHFZq-nNllDRVuOLwF-U.2',
  ]);
  expect(partNumber(product, 1)).toBe(3527925566755913);
});
