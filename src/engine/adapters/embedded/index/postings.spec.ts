import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dice } from '../../../../../test/support/dice';
import { FIELD_BITS } from './packed';
import { PackedPostings } from './packed-postings';
import { segmentOf } from './posting-segment';
import { Postings } from './postings';
import { readSnapshot, SnapshotFile, SnapshotWriter } from './snapshot-file';

/** Enough for several parts: a term costs as much as ten postings. */
const TERMS = 150_000;
const FIELDS = 3;

/** Postings beside what they should be: by term, the rows in their order. */
class Twin {
  readonly postings = new Postings();
  readonly expected = new Map<number, number[]>();
  private row = 0;

  constructor(private readonly dice: Dice) {}

  /** `often`: how many of them are of the first hundred terms, of ten. */
  append(rows: number, often = 5): void {
    for (let index = 0; index < rows; index++) {
      const terms = new Set(
        Array.from({ length: 20 }, () => this.dice.below(this.dice.below(10) < often ? 100 : TERMS)),
      );
      const row = this.row++;
      this.postings.append(
        row,
        Uint32Array.from(terms, (term) => (term << FIELD_BITS) | FIELDS),
        0,
        terms.size,
      );
      for (const term of terms) {
        const list = this.expected.get(term);
        const posting = (row << FIELD_BITS) | FIELDS;
        if (list) list.push(posting);
        else this.expected.set(term, [posting]);
      }
    }
  }

  file(): void {
    for (const _ of this.postings.file(TERMS)) continue;
  }

  wrong(postings = this.postings, every = 1): number[] {
    return differing(postings, this.expected, every);
  }
}

/** Terms whose postings are not the expected ones. */
function differing(postings: Postings, expected: ReadonlyMap<number, readonly number[]>, every = 1): number[] {
  const terms: number[] = [];
  for (let term = 0; term < TERMS + 10; term += every) {
    const wanted = expected.get(term) ?? [];
    const found = postings.of(term).flatMap((list) => [...list]);
    const isSame = found.length === wanted.length && found.every((posting, at) => posting === wanted[at]);
    if (!isSame || postings.count(term) !== wanted.length) terms.push(term);
  }
  return terms;
}

describe('postings', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-postings-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const saved = (postings: Postings): Postings => {
    const writer = new SnapshotWriter();
    postings.save(writer);
    const path = join(folder, 'index');
    new SnapshotFile(path, writer.sections).finish();
    const loaded = new Postings();
    readSnapshot(path, (reader) => loaded.load(reader), fail);
    return loaded;
  };
  const fail = (why: string): never => {
    throw new Error(why);
  };

  test('all that was appended is found, packed at once or in lists, and so it is in a snapshot', () => {
    const twin = new Twin(new Dice(3));
    for (const rows of [1, 30_000, 5, 200, 8000, 7000, 0, 3]) {
      twin.append(rows, rows > 1000 ? 5 : 9);
      twin.file();
      expect(twin.wrong()).toEqual([]);
    }
    expect(twin.wrong(saved(twin.postings))).toEqual([]);
  });

  test('while recent ones are packed, nothing is missed, found twice or lost by what comes between', () => {
    const twin = new Twin(new Dice(4));
    twin.append(5000);
    twin.file();
    for (let batch = 0; batch < 20; batch++) {
      twin.append(200, 2);
      twin.file();
    }
    expect(twin.postings.crowded).toBe(true);
    let steps = 0;
    for (const _ of twin.postings.packRecent()) {
      twin.append(3);
      twin.file();
      expect(twin.postings.crowded).toBe(false);
      expect(twin.wrong(twin.postings, 7)).toEqual([]);
      if (++steps === 2) expect(twin.wrong(saved(twin.postings))).toEqual([]);
    }
    expect(steps).toBeGreaterThan(2);
    expect(twin.wrong()).toEqual([]);
  });

  test('packing that ends on the way loses nothing, and is done another time', () => {
    const twin = new Twin(new Dice(6));
    twin.append(5000);
    twin.file();
    for (let batch = 0; batch < 20; batch++) {
      twin.append(200, 2);
      twin.file();
    }
    for (const _ of twin.postings.packRecent()) break;
    expect(twin.wrong()).toEqual([]);
    expect(twin.wrong(saved(twin.postings))).toEqual([]);
    for (const _ of twin.postings.packRecent()) continue;
    expect(twin.postings.crowded).toBe(false);
    expect(twin.wrong()).toEqual([]);
  });

  // Many more make parts of other lengths; with a few, a new part would take over the memory of the one before.
  test.each([6000, 50])(
    'a snapshot is of the moment it was begun, whatever is packed before it is written: %i rows',
    (rows) => {
      const twin = new Twin(new Dice(5));
      twin.append(5000);
      twin.file();
      for (const _ of twin.postings.packRecent()) continue;
      const writer = new SnapshotWriter();
      twin.postings.save(writer);
      const before = new Map([...twin.expected].map(([term, list]) => [term, [...list]]));
      for (let time = 0; time < 2; time++) {
        twin.append(rows);
        twin.file();
        for (const _ of twin.postings.packRecent()) continue;
      }
      expect(twin.wrong()).toEqual([]);
      const path = join(folder, 'moment');
      new SnapshotFile(path, writer.sections).finish();
      const loaded = new Postings();
      readSnapshot(path, (reader) => loaded.load(reader), fail);
      expect(differing(loaded, before)).toEqual([]);
    },
  );

  test('a term that is more than a part is a part of its own', () => {
    const packed = new PackedPostings();
    const many = Array.from({ length: 900_000 }, (_, index) => index);
    const ofFour = new Map([0, 1, 2, 3].map((term) => [term, term === 1 ? many : [term]]));
    expect([...packed.add([segmentOf(ofFour)])]).toEqual([2, 4]);
    expect(packed.length).toBe(900_003);
    const more = [new Map([[0, [7]]]), new Map([[1, [8]]])].map(segmentOf);
    expect([...packed.add(more)]).toEqual([2, 4]);
    expect([0, 1, 2, 3, 4].map((term) => packed.count(term))).toEqual([2, 900_001, 1, 1, 0]);
    expect([...packed.of(0)]).toEqual([0, 7]);
    expect(packed.of(1).at(-1)).toBe(8);
    expect([...packed.of(3)]).toEqual([3]);
    expect(packed.terms).toBe(4);
  });

  test('parts cut another way keep what is behind the cut', () => {
    const packed = new PackedPostings();
    const some = (term: number): number[] => Array.from({ length: 1 + (term % 11) }, (_, index) => term * 16 + index);
    const terms = Array.from({ length: 60_000 }, (_, term) => term);
    for (const _ of packed.add([segmentOf(new Map(terms.map((term) => [term, some(term)])))])) continue;
    const moved: number[] = [];
    const many = Array.from({ length: 9000 }, (_, index) => index);
    const grown = segmentOf(new Map(terms.slice(0, 100).map((term) => [term, many])));
    for (const end of packed.add([grown])) {
      moved.push(end);
      for (const term of [50_000, 59_999]) expect([...packed.of(term)]).toEqual(some(term));
    }
    expect(moved.length).toBeGreaterThan(4);
    expect(packed.count(99)).toBe(9000 + 1 + (99 % 11));
    expect(packed.length).toBe(terms.reduce((sum, term) => sum + packed.count(term), 0));
  });
});
