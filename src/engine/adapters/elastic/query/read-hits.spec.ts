import { type AnsweredHit, orderTies } from './read-hits';

const hit = (id: string, score: number): AnsweredHit => ({ _score: score, fields: { productId: [id] } });
const ids = (hits: AnsweredHit[] | null): unknown => hits?.map(({ fields }) => fields?.['productId']?.[0]);

describe('a page by score alone', () => {
  const hits = [hit('a', 4), hit('d', 3), hit('c', 3), hit('b', 2), hit('e', 1)];

  it('goes without the hits around it, those of the same score in the order of their ids', () => {
    expect(ids(orderTies(hits, { from: 0, size: 4 }))).toEqual(['a', 'c', 'd', 'b']);
    expect(ids(orderTies(hits, { from: 7, size: 3 }))).toEqual(['c', 'd', 'b']);
    expect(ids(orderTies(hits, { from: 7, size: 10 }))).toEqual(['c', 'd', 'b', 'e']);
    expect(ids(orderTies([], { from: 7, size: 10 }))).toEqual([]);
  });

  it('is not known where products of the same score stand on both sides of an edge', () => {
    expect(orderTies(hits, { from: 0, size: 2 })).toBeNull();
    expect(orderTies(hits.slice(1), { from: 7, size: 2 })).toBeNull();
  });

  it('has ids in the order of their bytes, whole documents or columns', () => {
    const documents = ['\u{1f600}', '\uffee'].map((productId) => ({ _score: 1, _source: { productId } }));
    expect(orderTies(documents, { from: 0, size: 2 })).toEqual(documents.toReversed());
  });
});
