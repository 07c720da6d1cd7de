import type { CatalogRecords, RecordWrite } from '../../src/catalog/records/catalog-records';
import type { UnindexedRecords } from '../../src/catalog/records/unindexed-records';
import type { ProductFeatures } from '../../src/ranking/vectors/features';
import type { Sent } from '../../src/catalog/product/product';

export interface CatalogRecordsSubject {
  records: CatalogRecords;
  unindexed: UnindexedRecords;
  /** Closes it and opens it again on the same data. */
  reopen(): Promise<CatalogRecords>;
  close(): Promise<void>;
}

const store = 'store-a';

/** A write of product `p` without a channel, unless said otherwise. */
function aWrite(changes: Partial<RecordWrite> = {}): RecordWrite {
  return { productId: 'p', channel: null, sent: { id: 'p', price: 10 }, receivedAt: 1000, ...changes };
}

export function describeCatalogRecordsContract(name: string, makeSubject: () => Promise<CatalogRecordsSubject>): void {
  describe(`CatalogRecords: ${name}`, () => {
    let subject: CatalogRecordsSubject;
    let records: CatalogRecords;

    beforeEach(async () => {
      subject = await makeSubject();
      records = subject.records;
    });
    afterEach(() => subject.close());

    const readOne = async (productId = 'p') => (await records.read(store, [productId]))[0] ?? null;

    it('gives back what was sent, field for field, in order', async () => {
      const sent: Sent = {
        zeta: 1,
        id: 'p',
        price: '10.50',
        nested: { b: [1, 'é', null], a: {} },
        'ünknown field': true,
      };
      await records.write(store, [aWrite({ sent })]);
      const record = await readOne();
      expect(JSON.stringify(record?.base?.sent)).toBe(JSON.stringify(sent));
      // An adapter may leave the text out; one that has it has it as it was sent.
      expect(record?.base?.text ?? JSON.stringify(sent)).toBe(JSON.stringify(sent));
    });

    it('merges a write into what is there by then, part by part, and null takes a field away', async () => {
      const merge = (sent: Sent, channel: string | null = null): RecordWrite => aWrite({ sent, channel, merge: true });
      await records.write(store, [
        aWrite({ sent: { id: 'p', price: 10, stock: 3, images: { default: 'a', side: 'b' }, tags: ['x', 'y'] } }),
        merge({ price: 8, images: { side: 'c' } }),
        merge({ stock: null, tags: ['z'] }),
        merge({ price: 7, stock: null }, 'app'),
      ]);
      const record = await readOne();
      expect(record?.base?.sent).toEqual({ id: 'p', price: 8, images: { default: 'a', side: 'c' }, tags: ['z'] });
      expect(record?.channels['app']?.sent).toEqual({ price: 7 });
      await records.write(store, [aWrite({ sent: null }), merge({ id: 'p', price: 5 })]);
      expect((await readOne())?.base?.sent).toEqual({ id: 'p', price: 5 });
    });

    it('answers a record of the version asked for, or a later one, and the newest where none is named', async () => {
      const [first = 0] = (await records.write(store, [aWrite()])).versions.map(Number);
      const versionOf = async (...atLeast: number[][]): Promise<number | undefined> =>
        (await records.read(store, ['p'], ...atLeast))[0]?.base?.version;
      expect(await versionOf([first])).toBe(first);
      const [second = 0] = (await records.write(store, [aWrite({ receivedAt: 2000 })])).versions.map(Number);
      expect(await versionOf([second])).toBe(second);
      expect(await versionOf()).toBe(second);
      expect([first, second]).toContain(await versionOf([first]));
      expect(await records.read(store, ['p', 'never sent', 'p'], [second, 1, second])).toMatchObject([
        { productId: 'p' },
        null,
        { productId: 'p' },
      ]);
    });

    it('keeps what it accepted when it is opened again', async () => {
      await records.write(store, [aWrite()]);
      records = await subject.reopen();
      expect((await readOne())?.base).toMatchObject({ sent: { id: 'p', price: 10 } });
    });

    it('gives each write of a store a greater version than all before it, over reopening too', async () => {
      const versions = (await records.write(store, [aWrite(), aWrite({ productId: 'q' })])).versions;
      records = await subject.reopen();
      versions.push(...(await records.write(store, [aWrite({ productId: 'r' }), aWrite()])).versions);
      expect(versions.every((version) => Number.isSafeInteger(version) && Number(version) > 0)).toBe(true);
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => Number(a) - Number(b)));
      expect((await readOne())?.base?.version).toBe(versions[3]);
    });

    it('returns each product once, in the order first written, as it is afterwards', async () => {
      const { records: after, versions } = await records.write(store, [
        aWrite({ productId: 'q', sent: { n: 1 } }),
        aWrite({ sent: { n: 2 } }),
        aWrite({ productId: 'q', sent: { n: 3 } }),
        aWrite({ channel: 'app', sent: { n: 4 } }),
      ]);
      expect(after.map(({ productId }) => productId)).toEqual(['q', 'p']);
      expect(after[0]?.base).toMatchObject({ sent: { n: 3 }, version: versions[2] });
      expect(after[1]).toMatchObject({
        base: { sent: { n: 2 } },
        channels: { app: { sent: { n: 4 }, version: versions[3] } },
      });
      expect(await records.read(store, ['q', 'p'])).toEqual(after);
    });

    it('replaces one version and leaves the others', async () => {
      await records.write(store, [aWrite(), aWrite({ channel: 'app', sent: { price: 9 } })]);
      const { versions } = await records.write(store, [aWrite({ sent: { id: 'p', price: 11 }, receivedAt: 2000 })]);
      const record = await readOne();
      const { text: _text, ...base } = { ...record?.base };
      expect(base).toEqual({
        sent: { id: 'p', price: 11 },
        lastSent: { id: 'p', price: 11 },
        removed: false,
        version: versions[0],
        receivedAt: 2000,
        firstReceivedAt: 1000,
      });
      expect(record?.channels['app']?.sent).toEqual({ price: 9 });
    });

    it('keeps a tombstone with what was sent last', async () => {
      const before = (await records.write(store, [aWrite()])).versions[0];
      const { versions } = await records.write(store, [aWrite({ sent: null, receivedAt: 2000 })]);
      expect(versions[0]).toBeGreaterThan(before ?? 0);
      const removed = { sent: null, lastSent: { id: 'p', price: 10 }, removed: true, version: versions[0] };
      expect((await readOne())?.base).toMatchObject(removed);
      const again = (await records.write(store, [aWrite({ sent: null })])).versions[0];
      expect(again).toBeGreaterThan(versions[0] ?? 0);
    });

    it('answers the removal of something never sent with null, and remembers nothing of it', async () => {
      await records.write(store, [aWrite({ productId: 'q', channel: 'app' })]);
      const never = [aWrite({ sent: null }), aWrite({ productId: 'q', channel: 'web', sent: null })];
      expect((await records.write(store, never)).versions).toEqual([null, null]);
      expect(await readOne()).toBeNull();
      expect((await readOne('q'))?.channels['web']).toBeUndefined();
    });

    it('takes a product out of one channel it was only in through the common version', async () => {
      await records.write(store, [aWrite()]);
      const { versions } = await records.write(store, [aWrite({ channel: 'app', sent: null })]);
      expect(versions).toEqual([expect.any(Number)]);
      const record = await readOne();
      expect(record?.base?.sent).toEqual({ id: 'p', price: 10 });
      expect(record?.channels['app']?.sent).toBeNull();
    });

    it('removes the channels with the product, and has it in all of them when it comes back', async () => {
      const channel = 'app';
      await records.write(store, [aWrite(), aWrite({ channel, sent: { price: 9 } }), aWrite({ sent: null })]);
      expect(await readOne()).toMatchObject({ base: { sent: null }, channels: { app: { sent: null } } });
      await records.write(store, [aWrite()]);
      expect((await readOne())?.channels).toEqual({});
    });

    it('keeps a product out of the channel it was taken out of when it is written again', async () => {
      await records.write(store, [aWrite(), aWrite({ channel: 'app', sent: null }), aWrite()]);
      expect((await readOne())?.channels['app']?.sent).toBeNull();
    });

    it('reads in the order asked, null where never sent, and never from another store', async () => {
      await records.write(store, [aWrite(), aWrite({ productId: 'q' })]);
      await records.write('store-b', [aWrite({ productId: 'r' })]);
      const found = await records.read(store, ['q', 'r', 'p']);
      expect(found.map((record) => record?.productId ?? null)).toEqual(['q', null, 'p']);
    });

    it('scans in id order, a page at a time, removed ones too', async () => {
      const ids = ['b', 'a', 'd', 'c', 'A'];
      await records.write(
        store,
        ids.map((productId) => aWrite({ productId })),
      );
      await records.write(store, [aWrite({ productId: 'c', sent: null })]);
      const seen: string[] = [];
      for (let after = ''; ;) {
        const page = await records.scan(store, { after, limit: 2 });
        expect(page.length).toBeLessThanOrEqual(2);
        seen.push(...page.map(({ productId }) => productId));
        if (page.length === 0) break;
        after = page.at(-1)?.productId ?? '';
      }
      expect(seen).toEqual(['A', 'a', 'b', 'c', 'd']);
    });

    it('scans what is newer than a version, and need not name what was indexed', async () => {
      const { records: written, versions } = await records.write(
        store,
        ['a', 'b', 'c'].map((productId) => aWrite({ productId })),
      );
      const indexed = written.map(({ productId, base }) => ({ productId, version: base?.version ?? 0 }));
      await records.settle(store, { indexed });
      await records.write(store, [aWrite({ productId: 'a', channel: 'app' })]);
      const newer = await records.scan(store, { newerThan: versions[1] ?? 0, limit: 10 });
      expect(newer.map(({ productId }) => productId)).toEqual(['a', 'c']);
      expect(await records.countNewer(store, versions[1] ?? 0)).toBe(2);
    });

    it('knows the highest version of a store, and how many products came after one', async () => {
      expect([await records.newest(store), await records.countNewer(store, 0)]).toEqual([0, 0]);
      const { versions } = await records.write(store, [aWrite({ productId: 'a' }), aWrite({ productId: 'b' })]);
      await records.write('store-b', [aWrite()]);
      expect(await records.newest(store)).toBe(Math.max(...versions.map(Number)));
      const again = await records.write(store, [
        aWrite({ productId: 'a', channel: 'app' }),
        aWrite({ productId: 'c' }),
      ]);
      expect(await records.countNewer(store, await records.newest('nobody'))).toBe(3);
      expect(await records.countNewer(store, Math.max(...versions.map(Number)))).toBe(2);
      expect(await records.newest(store)).toBe(Math.max(...again.versions.map(Number)));
    });

    it('names the stores whose products may not be indexed, or can not tell, and never leaves one out', async () => {
      await records.write('store-b', [aWrite()]);
      const named = await subject.unindexed.stores();
      expect(named === null || (named.has('store-b') && !named.has('nobody'))).toBe(true);
    });

    it('knows the channels that products name, in either way', async () => {
      await records.write(store, [
        aWrite({ sent: { salesChannels: { web: { price: 1 }, app: {} } } }),
        aWrite({ productId: 'q', channel: 'kiosk' }),
      ]);
      expect(await records.channels(store)).toEqual(['app', 'kiosk', 'web']);
      await records.write(store, [aWrite({ sent: { salesChannels: { web: {} } } })]);
      expect(await records.channels(store)).toEqual(['kiosk', 'web']);
      expect(await records.channels('store-b')).toEqual([]);
    });

    it('remembers features, also of products removed since', async () => {
      const settle = (version: number, features: ProductFeatures) =>
        records.settle(store, { features: [{ version, features }] });
      await settle(5, { id: 'p', f: ['brand:acme'], t: 'shoes', p: 10 });
      await settle(7, { id: 'p', f: ['brand:acme'], t: 'shoes', p: 10 });
      await settle(7, { id: 'p', f: ['brand:other'], t: 'shoes' });
      const features = await records.features(store, ['p', 'q', 'p']);
      expect([...features]).toEqual([['p', { id: 'p', f: ['brand:other'], t: 'shoes' }]]);
      expect((await records.features('store-b', ['p'])).size).toBe(0);
    });

    it('removes a store and nothing of another', async () => {
      await records.write(store, [aWrite(), aWrite({ channel: 'app' }), aWrite({ productId: 'q' })]);
      await records.settle(store, { features: [{ version: 1, features: { id: 'p', f: [], t: '' } }] });
      await records.write('store-b', [aWrite({ channel: 'web' })]);
      expect(await records.removeStore(store)).toBe(2);
      expect(await records.read(store, ['p', 'q'])).toEqual([null, null]);
      expect(await records.channels(store)).toEqual([]);
      expect((await records.features(store, ['p'])).size).toBe(0);
      expect((await records.read('store-b', ['p']))[0]?.channels['web']?.sent).toEqual({ id: 'p', price: 10 });
    });

    it('takes names that mean something elsewhere', async () => {
      const productId = "o'hara/../%00 \u{1F600}";
      await records.write(store, [aWrite({ productId, channel: 'constructor', sent: { id: productId } })]);
      expect((await readOne(productId))?.channels['constructor']?.sent).toEqual({ id: productId });
    });
  });
}
