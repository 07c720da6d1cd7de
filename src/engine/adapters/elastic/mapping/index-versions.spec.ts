import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { ownLocation } from '../locations/location';
import { IndexVersions } from './index-versions';

describe('the known version of an index', () => {
  /** A shopper's answer may take 900. */
  const TIMEOUT_MS = 800;
  let now = 0;
  let asked = 0;
  let isFailing = false;

  function versions(): IndexVersions {
    const connection = {
      timeoutMs: TIMEOUT_MS,
      inTime: (_until: number | undefined, ask: () => Promise<unknown>) => ask(),
      search: async () => {
        asked += 1;
        if (isFailing) throw new Error('refused');
        return { aggregations: { version: { buckets: [{ key: 'i', doc_count: 1, written: { value: asked } }] } } };
      },
    };
    return new IndexVersions(connection as unknown as ElasticConnection, 'copy');
  }

  beforeEach(() => {
    [now, asked, isFailing] = [10_000, 0, false];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  const search = (begun: number) => ({ store: 's', location: ownLocation('i'), until: begun + 900 });

  it('serves a search that began with it to its end, however slow it is', async () => {
    const known = versions();
    const first = await known.current(search(10_000));
    now += 850;
    expect(await known.current(search(10_000))).toBe(first);
    expect(asked).toBe(1);
  });

  it('serves one that begins later for 200 ms, and is asked for anew from 100 ms on', async () => {
    const known = versions();
    const first = await known.current(search(now));
    now += 90;
    expect(await known.current(search(now))).toBe(first);
    expect(asked).toBe(1);
    now += 100;
    expect(await known.current(search(now))).toBe(first);
    expect(asked).toBe(2);
  });

  it('is asked for anew by one that begins 200 ms later, or that nobody waits for', async () => {
    const known = versions();
    await known.current(search(now));
    now += 200;
    expect(await known.current(search(now))).toMatch(/ 2 /);
    now += 200;
    expect(await known.current({ store: 's', location: ownLocation('i') })).toMatch(/ 3 /);
  });

  it('serves for two seconds where Elasticsearch fails to tell the current one, which is asked for each time', async () => {
    const known = versions();
    const first = await known.current(search(now));
    isFailing = true;
    now += 1990;
    expect(await known.current(search(now))).toBe(first);
    now += 10;
    await expect(known.current(search(now))).rejects.toThrow('refused');
    expect(asked).toBe(3);
    isFailing = false;
    expect(await known.current(search(now))).toMatch(/ 4 /);
  });

  it('is not served after a write of this process, also where it ends while Elasticsearch is failing', async () => {
    const known = versions();
    await known.current(search(now));
    isFailing = true;
    now += 500;
    const asking = known.current(search(now));
    known.changed('s');
    await expect(asking).rejects.toThrow('refused');
    await expect(known.current(search(now))).rejects.toThrow('refused');
  });
});
