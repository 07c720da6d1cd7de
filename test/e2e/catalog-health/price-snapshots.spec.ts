import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '../../../src/documents/adapters/embedded/embedded-documents';
import type { Documents } from '../../../src/documents/documents';
import { EmbeddedDatabase } from '../../../src/storage/sqlite/embedded-database';
import { compiled } from '../../../src/storage/threads';
import { freeSlot, PriceReader, type PriceSnapshot, PriceWriter } from '../../../src/catalog/health/price-snapshots';

describe('prices of a day', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let documents: Documents;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    database = await EmbeddedDatabase.open(folder, [compiled('documents/adapters/embedded/documents.commands')]);
    documents = new EmbeddedDocuments(database);
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const ids = (count: number): string[] =>
    Array.from({ length: count }, (_one, index) => `p${String(index).padStart(5, '0')}`);
  const write = async (count: number): Promise<PriceSnapshot> => {
    const writer = new PriceWriter(documents, 's', 'a');
    for (const [index, id] of ids(count).entries()) await writer.add(id, index);
    return writer.end();
  };
  const kept = async (): Promise<string[]> =>
    (await documents.list({ kind: 'catalog-health-prices', store: 's' })).map(({ id }) => id);

  test('are found again over many chunks, where ids come and go', async () => {
    const snapshot = await write(2500);
    expect(snapshot).toEqual({ slot: 'a', chunks: 3 });
    const reader = new PriceReader(documents, 's', snapshot);
    expect(await reader.of('a new one before all')).toBeUndefined();
    expect(await reader.of('p00001')).toBe(1);
    expect(await reader.of('p00001x')).toBeUndefined();
    expect(await reader.of('p01000')).toBe(1000);
    expect(await reader.of('p02499')).toBe(2499);
    expect(await reader.of('z')).toBeUndefined();
  });

  test('replace more that were there', async () => {
    await write(2500);
    expect(await kept()).toHaveLength(3);
    expect(await write(10)).toEqual({ slot: 'a', chunks: 1 });
    expect(await kept()).toEqual(['a-000000']);
    expect(await write(0)).toEqual({ slot: 'a', chunks: 0 });
    expect(await kept()).toEqual([]);
  });

  test('nothing is known of a day that was not looked at', async () => {
    expect(await new PriceReader(documents, 's', undefined).of('p')).toBeUndefined();
  });
});

test('a slot that is in use is left alone', () => {
  expect(freeSlot([undefined, undefined])).toBe('a');
  expect(freeSlot([{ slot: 'a', chunks: 1 }, undefined])).toBe('b');
  expect(
    freeSlot([
      { slot: 'b', chunks: 1 },
      { slot: 'a', chunks: 1 },
    ]),
  ).toBe('c');
});
