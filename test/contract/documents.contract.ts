import { type DocumentKey, DocumentConflict, type Documents } from '../../src/documents/documents';

export interface DocumentsSubject {
  documents: Documents;
  /** Documents over the same data, as after a restart. */
  reopen(): Promise<Documents>;
  close(): Promise<void>;
}

const key = (id: string, store = 's1', kind = 'template'): DocumentKey => ({ store, kind, id });
const bodies = (list: { body: unknown }[]): unknown[] => list.map(({ body }) => body);

export function describeDocumentsContract(name: string, makeSubject: () => Promise<DocumentsSubject>): void {
  describe(`Documents: ${name}`, () => {
    let subject: DocumentsSubject;
    let documents: Documents;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ documents } = subject);
    });
    afterEach(() => subject.close());

    test('gives back what was put, as the JSON value it is', async () => {
      const body = { text: 'olá "x"', list: [1, null, { a: true }], empty: {}, z: 1, a: 2 };
      expect(await documents.put([{ ...key('a'), body }])).toEqual([1]);
      expect(await documents.get(key('a'))).toEqual({ ...key('a'), body, version: 1 });
      expect(Object.keys((await documents.get<object>(key('a')))?.body ?? {})).toEqual(Object.keys(body));
    });

    test('knows nothing of a key never put, nor of the same id elsewhere', async () => {
      await documents.put([{ ...key('a'), body: 1 }]);
      expect(await documents.get(key('b'))).toBeNull();
      expect(await documents.get(key('a', 's2'))).toBeNull();
      expect(await documents.get(key('a', 's1', 'rule'))).toBeNull();
    });

    test('counts the versions of each key', async () => {
      expect(
        await documents.put([
          { ...key('a'), body: 1 },
          { ...key('b'), body: 1 },
        ]),
      ).toEqual([1, 1]);
      expect(
        await documents.put([
          { ...key('a'), body: 2 },
          { ...key('c'), body: 1 },
        ]),
      ).toEqual([2, 1]);
      expect((await documents.get(key('a')))?.version).toBe(2);
    });

    test('writes only over the expected version', async () => {
      await documents.put([{ ...key('a'), body: 1, expectedVersion: 0 }]);
      await expect(documents.put([{ ...key('a'), body: 2, expectedVersion: 0 }])).rejects.toThrow(DocumentConflict);
      await expect(documents.put([{ ...key('b'), body: 2, expectedVersion: 1 }])).rejects.toThrow(DocumentConflict);
      expect(await documents.put([{ ...key('a'), body: 2, expectedVersion: 1 }])).toEqual([2]);
    });

    test('of several writes, all happen or none', async () => {
      await documents.put([{ ...key('taken'), body: 1 }]);
      const several = documents.put([
        { ...key('a'), body: 1 },
        { ...key('taken'), body: 2, expectedVersion: 0 },
      ]);
      await expect(several).rejects.toThrow(/taken/);
      expect(await documents.get(key('a'))).toBeNull();
      expect((await documents.get(key('taken')))?.body).toBe(1);
    });

    test('one of many who create the same key at once succeeds', async () => {
      const tries = Array.from({ length: 10 }, (_, body) =>
        documents.put([{ ...key('a'), body, expectedVersion: 0 }]).then(
          () => 'won',
          () => 'lost',
        ),
      );
      expect((await Promise.all(tries)).filter((result) => result === 'won')).toHaveLength(1);
    });

    test('lists a kind in id order, of one store or of all', async () => {
      await documents.put([
        { ...key('b'), body: 'b' },
        { ...key('a', 's2'), body: 'a2' },
        { ...key('a'), body: 'a' },
        { ...key('c', 's1', 'rule'), body: 'c' },
      ]);
      expect(bodies(await documents.list({ kind: 'template', store: 's1' }))).toEqual(['a', 'b']);
      expect(bodies(await documents.list({ kind: 'template' }))).toEqual(['a', 'a2', 'b']);
      expect(await documents.list({ kind: 'nothing' })).toEqual([]);
    });

    test('removes one, and says whether there was one', async () => {
      await documents.put([{ ...key('a'), body: 1 }]);
      expect(await documents.remove(key('a'))).toBe(true);
      expect(await documents.remove(key('a'))).toBe(false);
      expect(await documents.get(key('a'))).toBeNull();
    });

    test('removes everything of a store, counters too, and nothing of another', async () => {
      await documents.put([
        { ...key('a'), body: 1 },
        { ...key('b', 's1', 'rule'), body: 1 },
        { ...key('a', 's2'), body: 1 },
      ]);
      await documents.increment(key('facets'), 5);
      expect(await documents.removeStore('s1')).toBe(3);
      expect(await documents.get(key('a'))).toBeNull();
      expect(await documents.get(key('a', 's2'))).not.toBeNull();
      expect(await documents.increment(key('facets'), 1)).toBe(1);
    });

    test('no two of many increments get the same number', async () => {
      const numbers = await Promise.all(Array.from({ length: 50 }, () => documents.increment(key('facets'), 1)));
      expect(new Set(numbers)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => index + 1)));
      expect(await documents.increment(key('facets', 's2'), 3)).toBe(3);
    });

    test('keeps everything over a restart', async () => {
      await documents.put([{ ...key('a'), body: { kept: true } }]);
      await documents.increment(key('facets'), 2);
      const reopened = await subject.reopen();
      expect((await reopened.get(key('a')))?.body).toEqual({ kept: true });
      expect(await reopened.increment(key('facets'), 1)).toBe(3);
    });

    test('ids of 256 characters of any script, and large bodies, are fine', async () => {
      const id = '寿'.repeat(256);
      const body = { text: 'x'.repeat(300_000) };
      await documents.put([{ ...key(id), body }]);
      expect((await documents.get(key(id)))?.body).toEqual(body);
    });
  });
}
