import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type BatchedCall, Batcher } from '../../../../shared/async/batcher';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { type TextField, textFields } from '../../../../ranking/template/text-fields';
import { documentsOf, type FieldStats, type TextStats } from '../../../../ranking/text';
import type { Query } from '../query/function-score';
import type { IndexVersions } from './index-versions';
import { LENGTH_UNIT } from './product-document';
import type { TextNumbers } from '../query/text-query';
import { type Location, type SearchedLocation, within } from '../locations/location';

/** Numbers of an index of so many documents change slowly: after a write, those that are known are used a little longer. */
const SLOW_INDEX = 20_000;
/** So long at the most, sizes and lengths. They are renewed while the old ones are used. */
const FIELDS_MS = 2000;
/** And frequencies. Not so a token that no document has: a new document with it must be found at once. */
const SLOW_TOKEN_MS = 30_000;
const MOST_STORES = 500;
const MOST_TOKENS = 5000;
/** In one request: each is counted in seven ways. */
const MOST_ASKED = 64;

/** Frequencies of a token: in any searched field, and by field in the order of `textFields`. */
export interface TokenFrequency {
  documents: number;
  byField: readonly number[] | null;
}

/** What is asked of a token: `byField` costs six counts more. */
export interface TokenRequest {
  token: string;
  byField: boolean;
}

/** Tokens that one caller asks for, and the version of the index that they are asked of. */
interface AskedTokens {
  searched: SearchedLocation;
  version: string;
  requests: readonly TokenRequest[];
}

interface StoreNumbers {
  /** Of the index that the numbers are of. */
  version: string;
  /** `isOld`: of an earlier version. */
  fields: { value: TextStats; at: number; isOld: boolean } | null;
  /** The request for them that is under way, and the version it began at. */
  asking: { version: string; answer: Promise<TextStats> } | null;
  /** How often numbers of an earlier version were replaced. */
  replaced: number;
  tokens: LRUCache<string, TokenFrequency>;
  /** A search looks up its words, and those of the terms that it offers, at the same time: one request for all of them. */
  asked: Batcher<AskedTokens, Map<string, TokenFrequency>>;
  /** Since when there may be tokens of an earlier version, as `performance.now()`; null: there are none. */
  oldSince: number | null;
}

/** Numbers of a store's index that the text factor needs: asked for once, and kept until the index is another one. */
export class IndexNumbers {
  private readonly stores = new LRUCache<string, StoreNumbers>({ max: MOST_STORES });

  constructor(
    private readonly connection: ElasticConnection,
    private readonly versions: Pick<IndexVersions, 'current' | 'changed'>,
  ) {}

  /** When the index is another one, or none. */
  forget(store: string): void {
    this.stores.delete(store);
    this.versions.changed(store);
  }

  /** After a write of this process. */
  changed(store: string): void {
    this.versions.changed(store);
  }

  async textNumbers(searched: SearchedLocation, tokens: readonly string[]): Promise<TextNumbers> {
    const requests = tokens.map((token) => ({ token, byField: true }));
    const [fields, found] = await Promise.all([this.fields(searched), this.frequencies(searched, requests)]);
    return { fields, frequencies: new Map(tokens.map((token) => [token, found.get(token)?.byField ?? []])) };
  }

  /** Changes where later answers have other numbers than those before, of the same index. */
  async generation(searched: SearchedLocation): Promise<number> {
    return (await this.upToDate(searched)).replaced;
  }

  async fields(searched: SearchedLocation): Promise<TextStats> {
    const numbers = await this.upToDate(searched);
    const { fields } = numbers;
    if (!fields) return this.connection.inTime(searched.until, () => this.askFields(searched, numbers));
    if (fields.isOld && performance.now() - fields.at > FIELDS_MS && !numbers.asking) {
      // The old numbers are good enough, and a failing index makes the search itself fail.
      this.askFields(searched, numbers).catch(() => undefined);
    }
    return fields.value;
  }

  async frequencies(
    searched: SearchedLocation,
    requests: readonly TokenRequest[],
  ): Promise<Map<string, TokenFrequency>> {
    const { tokens, asked, version } = await this.upToDate(searched);
    const found = new Map<string, TokenFrequency>();
    const missing: TokenRequest[] = [];
    for (const request of unique(requests)) {
      const known = tokens.get(request.token);
      if (known && (known.byField || !request.byField)) found.set(request.token, known);
      else missing.push(request);
    }
    if (missing.length === 0) return found;
    const answer = await this.connection.inTime(searched.until, () =>
      asked.add({ searched, version, requests: missing }),
    );
    return new Map([...found, ...answer]);
  }

  /** What is known of the index as it is now. */
  private async upToDate(searched: SearchedLocation): Promise<StoreNumbers> {
    const { store } = searched;
    const version = await this.versions.current(searched);
    let numbers = this.stores.get(store);
    if (!numbers) {
      numbers = this.nothingOf(version);
      this.stores.set(store, numbers);
    }
    if (numbers.version !== version) outdate(numbers);
    numbers.version = version;
    const { oldSince } = numbers;
    if (oldSince !== null && performance.now() - oldSince > SLOW_TOKEN_MS) {
      numbers.tokens.clear();
      numbers.oldSince = null;
      numbers.replaced++;
    }
    return numbers;
  }

  private nothingOf(version: string): StoreNumbers {
    const asked = new Batcher<AskedTokens, Map<string, TokenFrequency>>({
      send: (calls) => this.askTokens(numbers, calls),
      requests: Infinity,
      sizeOf: ({ requests }) => requests.length,
      maxSize: MOST_ASKED,
      fits: (a, b) =>
        a.version === b.version &&
        a.searched.location.index === b.searched.location.index &&
        a.searched.location.scope === b.searched.location.scope,
    });
    const tokens = new LRUCache<string, TokenFrequency>({ max: MOST_TOKENS });
    const numbers: StoreNumbers = { version, fields: null, asking: null, replaced: 0, tokens, asked, oldSince: null };
    return numbers;
  }

  /** One request for whoever asks while it is under way. */
  private askFields({ location }: SearchedLocation, numbers: StoreNumbers): Promise<TextStats> {
    const { version, asking } = numbers;
    if (asking?.version === version) return asking.answer;
    const answer = this.aggregate(location, fieldAggregations()).then((found) => {
      const value = readFields(found);
      if (numbers.fields) numbers.replaced++;
      numbers.fields = { value, at: performance.now(), isOld: numbers.version !== version };
      return value;
    });
    const own = { version, answer };
    numbers.asking = own;
    const ended = (): void => {
      if (numbers.asking === own) numbers.asking = null;
    };
    answer.then(ended, ended);
    return answer;
  }

  private async askTokens(
    numbers: StoreNumbers,
    calls: readonly BatchedCall<AskedTokens, Map<string, TokenFrequency>>[],
  ): Promise<void> {
    const [first] = calls;
    if (!first) return;
    const { version, searched } = first.item;
    const missing = unique(calls.flatMap(({ item }) => item.requests));
    const answer = await this.aggregate(searched.location, tokenAggregations(missing));
    const found = readTokens(missing, answer);
    // Of an index that is another one meanwhile, nobody knows which of the two was asked.
    if (numbers.version === version) for (const [token, frequency] of found) numbers.tokens.set(token, frequency);
    for (const { resolve } of calls) resolve(found);
  }

  private async aggregate(location: Location, aggs: Aggregations): Promise<unknown> {
    const common = { index: location.index, ignore_unavailable: true, size: 0, track_total_hits: false };
    const request: estypes.SearchRequest = within(location, { ...common, aggs });
    const { aggregations } = await this.connection.search(request);
    return aggregations;
  }
}

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

const isSlow = ({ fields }: StoreNumbers): boolean => fields !== null && documentsOf(fields.value) >= SLOW_INDEX;

/** The index is another one than the numbers are of. */
function outdate(numbers: StoreNumbers): void {
  const { fields, tokens } = numbers;
  if (!fields || !isSlow(numbers)) {
    tokens.clear();
    numbers.fields = null;
    return;
  }
  fields.isOld = true;
  for (const [token, { documents }] of tokens.entries()) if (documents === 0) tokens.delete(token);
  if (tokens.size > 0) numbers.oldSince ??= performance.now();
}

function unique(requests: readonly TokenRequest[]): TokenRequest[] {
  const byToken = new Map<string, TokenRequest>();
  for (const { token, byField } of requests) {
    byToken.set(token, { token, byField: byField || (byToken.get(token)?.byField ?? false) });
  }
  return [...byToken.values()];
}

export function fieldAggregations(): Aggregations {
  const ofField = (field: string): [string, Aggregations[string]][] => [
    [`${field}_documents`, { value_count: { field: `lengths.${field}` } }],
    [`${field}_length`, { avg: { field: `lengths.${field}` } }],
  ];
  return Object.fromEntries(textFields.flatMap(ofField));
}

function readFields(answer: unknown): TextStats {
  const values = (answer ?? {}) as Record<string, { value: number | null } | undefined>;
  const valueOf = (name: string): number => values[name]?.value ?? 0;
  const statsOf = (field: TextField): FieldStats => ({
    documents: valueOf(`${field}_documents`),
    averageLength: valueOf(`${field}_length`) / LENGTH_UNIT,
  });
  return Object.fromEntries(textFields.map((field) => [field, statsOf(field)])) as Record<TextField, FieldStats>;
}

/** Counts of whole posting lists: a filter over all documents costs nothing where none was deleted. */
export function tokenAggregations(requests: readonly TokenRequest[]): Aggregations {
  const filters = requests.flatMap(({ token, byField }): Query[] => [
    { term: { everywhere: token } },
    ...(byField ? textFields.map((name): Query => ({ term: { [`words.${name}`]: token } })) : []),
  ]);
  return { tokens: { filters: { filters } } };
}

function readTokens(requests: readonly TokenRequest[], answer: unknown): Map<string, TokenFrequency> {
  const { tokens } = (answer ?? {}) as { tokens?: { buckets: { doc_count: number }[] } };
  const counts = (tokens?.buckets ?? []).map(({ doc_count: count }) => count);
  let at = 0;
  return new Map(
    requests.map(({ token, byField }) => {
      const documents = counts[at++] ?? 0;
      const fields = byField ? textFields.map(() => counts[at++] ?? 0) : null;
      return [token, { documents, byField: fields }];
    }),
  );
}
