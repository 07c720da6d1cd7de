import type { estypes } from '@elastic/elasticsearch';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import type { SearchedLocation } from '../locations/location';
import { IndexNumbers, type TokenRequest } from './text-numbers';

const REQUESTS: TokenRequest[] = [{ token: 'wbola', byField: true }];
/** Documents with any token, by index. */
const DOCUMENTS: Readonly<Record<string, number>> = { before: 0, after: 7 };

const at = (index: string) => ({ store: 's', location: { index, scope: null } }) as unknown as SearchedLocation;

test('frequencies that were asked of an index before a store moved are not those of the one it moved to', async () => {
  const connection = {
    inTime: (_: unknown, ask: () => Promise<unknown>) => ask(),
    search: async ({ index }: estypes.SearchRequest) => {
      await nextTurn();
      const buckets = Array.from({ length: 20 }, () => ({ doc_count: DOCUMENTS[String(index)] ?? -1 }));
      return { aggregations: { tokens: { buckets } } };
    },
  } as unknown as ElasticConnection;
  const current = async ({ location }: SearchedLocation): Promise<string> => `version of ${location.index}`;
  const numbers = new IndexNumbers(connection, { current, changed: () => undefined });
  const documents = async (index: string): Promise<number | undefined> =>
    (await numbers.frequencies(at(index), REQUESTS)).get('wbola')?.documents;
  // The first one is sent when the second one has seen the other index.
  expect(await Promise.all([documents('before'), documents('after')])).toEqual([0, 7]);
  expect(await documents('after')).toBe(7);
});
