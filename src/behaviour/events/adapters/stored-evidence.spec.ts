import { EvidencePage, SnapshotCache, snapshotName, storedEvidence, withoutPrice } from './stored-evidence';

const shoe = { id: 'p1', f: ['brand:veloz', 'category:moda'], t: 'moda', p: 99.9 };

/** Reads one event, from a store that has one snapshot. */
function read(items: unknown[], features: typeof shoe | ReturnType<typeof withoutPrice>) {
  const page = new EvidencePage(
    [{ store: 's1', evidence: JSON.stringify({ at: 1, kind: 'cart', items }) }],
    new SnapshotCache(),
  );
  for (const { store, names } of page.missing()) for (const name of names) page.add(store, name, features);
  return page.evidence()[0]?.items;
}

test('an item is the name of its features, with what was sent and what it cost', () => {
  const items = [
    { product: shoe, quantity: 2 },
    { product: shoe },
    { product: withoutPrice(shoe), quantity: 3 },
    { product: withoutPrice(shoe) },
  ];
  const stored = storedEvidence({ at: 1, kind: 'cart', items }).items;
  const name = snapshotName(shoe);
  expect(stored).toEqual([[`${name} 99.9`, 2], `${name} 99.9`, [name, 3], name]);
  expect(read(stored, withoutPrice(shoe))).toEqual(items);
});

test('events that name snapshots with a price in them have that price', () => {
  expect(read(['old', ['old', 4]], shoe)).toEqual([{ product: shoe }, { product: shoe, quantity: 4 }]);
});

test('what was read has the name it was read by', () => {
  const [item] = read([['older-name 5', 1]], withoutPrice(shoe)) ?? [];
  expect(item?.product).toEqual({ ...shoe, p: 5 });
  expect(snapshotName(item?.product ?? shoe)).toBe('older-name');
});
