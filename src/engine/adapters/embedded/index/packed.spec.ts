import { anEngineDocument } from '../../../../../test/builders/an-engine-document';
import { numberNames } from '../../../../ranking/signal-numbers';
import { packDocument } from './engine.commands';
import { DocumentReader, pack } from './packed';

/** As the first version stored it. */
const FIRST_BLOB =
  'AAAAAAAA8D9mZmZmZuYzQAAAAAAAADlAAACAbub1dkIAAAAAAAD4fwAAAAAAABJAAAAAAAAAKEAAAAAAAAAIQAEAAAAAAAAAAwAAAAIAAAABAAAAAQAAAAAAAAAB' +
  'AAAAAAAAAAEAAAABAAAAAQAAAAEAAAAFAAAAAQAAAAMAAAAEAAAAJMT6MUEBAACBAQAAwgEAAAQCAABQAgAAAAAAAA==';

/** As it is stored since documents have tags, specs and details. */
const BLOB =
  'AEAAAAAAUEJmZmZmZuYzQAAAAAAAADlAAACAbub1dkIAAAAAAAD4fwAAAAAAABJAAAAAAAAAKEAAAAAAAAAIQAEAAAAAAAAAAwAAAAIAAAABAAAAAQAAAAAAAAAB' +
  'AAAAAAAAAAEAAAABAAAAAQAAAAEAAAAFAAAAAAAAAAEAAAAAAAAAAAAAAAEAAAADAAAABQAAACTE+jGBAQAAwQEAAAICAABEAgAAkAIAAAQAAAAAAAAAAAAAAA==';

const document = anEngineDocument({
  productId: 'p1',
  excludedChannels: ['app'],
  version: 3,
  name: 'Bola azul',
  skus: 'p1',
  price: 19.9,
  oldPrice: 25,
  rating: { average: 4.5, count: 12 },
  brand: { key: 'acme', label: 'Acme' },
  categories: [{ key: 'lazer', id: 'L', label: 'Lazer', parent: null }],
  features: ['brand:acme'],
});

function packed(): Buffer {
  const terms = new Map<string, number>();
  const id = (term: string): number => {
    if (!terms.has(term)) terms.set(term, terms.size);
    return terms.get(term) ?? 0;
  };
  return pack([packDocument(document, { id }, 'und')]);
}

test('a document is stored in the same bytes as ever', () => {
  expect(packed().toString('base64')).toBe(BLOB);
});

test('a stored document is read by the order its numbers and lists are declared in', () => {
  const reader = new DocumentReader();
  reader.open(Buffer.from(FIRST_BLOB, 'base64'));
  expect(reader.next()).toBe(true);
  const numbers = numberNames.slice(0, 7).map((name, which) => [name, reader.number(which)]);
  expect(Object.fromEntries(numbers)).toEqual({
    price: 19.9,
    oldPrice: 25,
    created: Date.UTC(2020, 0, 1),
    sold: Number.NaN,
    ratingAverage: 4.5,
    ratingCount: 12,
    version: 3,
  });
  expect([reader.available, reader.channel, reader.single('brand')]).toEqual([1, 0, 3]);
  const list = (name: Parameters<typeof reader.list>[0]) =>
    reader.list(name, (ints, start, end) => [...ints.subarray(start, end)]);
  expect([list('excludedChannels'), list('category'), list('features')]).toEqual([[1], [3], [4]]);
  expect(reader.next()).toBe(false);
});

test('what was declared since is unknown of a document stored before', () => {
  const reader = new DocumentReader();
  reader.open(Buffer.from(FIRST_BLOB, 'base64'));
  reader.next();
  expect(reader.number(7)).toBeNaN();
  expect(reader.list('spec', (_ints, start, end) => end - start)).toBe(0);
  expect(reader.single('availability')).toBe(0);
});
