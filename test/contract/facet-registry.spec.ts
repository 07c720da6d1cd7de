import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import type { DocumentKey } from '../../src/documents/documents';
import { type FacetKey, FacetRegistry } from '../../src/search/facets/facet-registry';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { compiled } from '../../src/storage/threads';

/** A reply waits for most of it. */
const WAITED_MS = 100;
const LONG_MS = 60_000;

/** A storage that is busy: nothing is numbered until it is let. */
class BusyDocuments extends EmbeddedDocuments {
  asked = 0;
  private free: () => void = () => undefined;
  private readonly isFree = new Promise<void>((resolve) => (this.free = resolve));

  letGo(): void {
    this.free();
  }

  override async increment(counter: DocumentKey, by: number): Promise<number> {
    this.asked += 1;
    await this.isFree;
    return super.increment(counter, by);
  }
}

describe('ids of values that were not there before', () => {
  let folder: string;
  let database: EmbeddedDatabase;
  let documents: BusyDocuments;
  let facets: FacetRegistry;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    database = await EmbeddedDatabase.open(folder, [compiled('documents/adapters/embedded/documents.commands')]);
    documents = new BusyDocuments(database);
    facets = new FacetRegistry(documents);
  });
  afterEach(async () => {
    documents.letGo();
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const known = async (keys: FacetKey[], forMs: number): Promise<FacetKey[]> => {
    const ids = await facets.idsKnown('s', keys, performance.now() + forMs);
    return keys.filter((key) => ids.has(key));
  };

  test('are left out of a reply that has no more time, and are there for the next', async () => {
    expect(await known(['brand:new'], WAITED_MS)).toEqual([]);
    documents.letGo();
    expect(await known(['brand:new'], LONG_MS)).toEqual(['brand:new']);
    // What was begun for the first reply went on.
    expect(documents.asked).toBe(1);
  });

  test('are allotted once for all searches that find them at the same time', async () => {
    const first = facets.idsFor('s', ['brand:new']);
    while (documents.asked === 0) await nextTurn();
    const searches = ['brand:a', 'brand:b', 'brand:c'].map((key) =>
      facets.idsFor('s', ['brand:new', key as FacetKey, 'filter:brand']),
    );
    documents.letGo();
    const all = await Promise.all([first, ...searches]);
    // What comes while the first is under way is numbered together.
    expect(documents.asked).toBe(2);
    expect(new Set(all.map((ids) => ids.get('brand:new'))).size).toBe(1);
    expect(
      new Set(
        ['brand:new', 'brand:a', 'brand:b', 'brand:c', 'filter:brand'].map((key) => all[0]?.get(key as FacetKey)),
      ),
    ).toEqual(new Set([1, 2, 3, 4, 5]));
  });
});
