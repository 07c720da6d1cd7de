import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { type TextField, textFields } from '../../../../ranking/text-fields';
import { documentsOf, type FieldStats, type TextStats } from '../../../../ranking/text';
import type { Query } from '../query/function-score';
import { LENGTH_UNIT } from './product-document';
import type { TextNumbers } from '../query/text-query';
import { type Place, within } from '../places/place';

/** How long a frequency is used: no longer than another replica's write takes to be seen by searches. */
const TOKEN_MS = 500;
/** Sizes and lengths change slowly. Those of a big index are renewed while the old ones are used. */
const FIELDS_MS = 2000;
const SLOW_INDEX = 20_000;
/** Frequencies of a big index change slowly, too. Not so a token that no document has: a new document with it must be found at once. */
const SLOW_TOKEN_MS = 30_000;
const MOST_STORES = 500;
const MOST_TOKENS = 5000;

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

interface StoreNumbers {
  fields: { value: TextStats; at: number } | null;
  refreshing: boolean;
  tokens: LRUCache<string, TokenFrequency>;
}

/** Numbers of a store's index that the text factor needs, asked for and kept for a moment. */
export class IndexNumbers {
  private readonly stores = new LRUCache<string, StoreNumbers>({ max: MOST_STORES });

  /** `placeOf`: where a store's searches go. */
  constructor(
    private readonly connection: ElasticConnection,
    private readonly placeOf: (store: string) => Promise<Place>,
  ) {}

  /** When the index is another one, or none. */
  forget(store: string): void {
    this.stores.delete(store);
  }

  /** After a write of this process. */
  changed(store: string): void {
    const known = this.stores.get(store);
    if (!known) return;
    if (isSlow(known)) {
      for (const [token, { documents }] of known.tokens.entries()) if (documents === 0) known.tokens.delete(token);
      return;
    }
    known.tokens.clear();
    known.fields = null;
  }

  /** `until`: as of an EngineQuery. */
  async textNumbers(store: string, tokens: readonly string[], until?: number): Promise<TextNumbers> {
    const requests = tokens.map((token) => ({ token, byField: true }));
    const [fields, found] = await Promise.all([this.fields(store, until), this.frequencies(store, requests, until)]);
    return { fields, frequencies: new Map(tokens.map((token) => [token, found.get(token)?.byField ?? []])) };
  }

  async fields(store: string, until?: number): Promise<TextStats> {
    const numbers = this.of(store);
    if (!numbers.fields) return this.askFields(store, numbers, until);
    if (performance.now() - numbers.fields.at > FIELDS_MS && !numbers.refreshing) {
      const asked = this.askFields(store, numbers, until);
      if (!isSlow(numbers)) return asked;
      // The old numbers are good enough, and a failing index makes the search itself fail.
      asked.catch(() => undefined);
    }
    return numbers.fields.value;
  }

  async frequencies(
    store: string,
    requests: readonly TokenRequest[],
    until?: number,
  ): Promise<Map<string, TokenFrequency>> {
    const numbers = this.of(store);
    const { tokens } = numbers;
    const found = new Map<string, TokenFrequency>();
    const missing: TokenRequest[] = [];
    for (const request of unique(requests)) {
      const known = tokens.get(request.token);
      if (known && (known.byField || !request.byField)) found.set(request.token, known);
      else missing.push(request);
    }
    if (missing.length === 0) return found;
    const answer = await this.aggregate(store, tokenAggregations(missing), until);
    for (const [token, frequency] of readTokens(missing, answer)) {
      tokens.set(token, frequency, { ttl: isSlow(numbers) && frequency.documents > 0 ? SLOW_TOKEN_MS : TOKEN_MS });
      found.set(token, frequency);
    }
    return found;
  }

  private of(store: string): StoreNumbers {
    let numbers = this.stores.get(store);
    if (!numbers) {
      const tokens = new LRUCache<string, TokenFrequency>({ max: MOST_TOKENS, ttl: TOKEN_MS });
      this.stores.set(store, (numbers = { fields: null, refreshing: false, tokens }));
    }
    return numbers;
  }

  private async askFields(store: string, numbers: StoreNumbers, until: number | undefined): Promise<TextStats> {
    numbers.refreshing = true;
    try {
      const value = readFields(await this.aggregate(store, fieldAggregations(), until));
      numbers.fields = { value, at: performance.now() };
      return value;
    } finally {
      numbers.refreshing = false;
    }
  }

  private async aggregate(store: string, aggs: Aggregations, until: number | undefined): Promise<unknown> {
    const place = await this.placeOf(store);
    const common = { index: place.index, ignore_unavailable: true, size: 0, track_total_hits: false };
    const request: estypes.SearchRequest = within(place, { ...common, aggs });
    const { aggregations } = await this.connection.search(request, this.connection.timeLeft(until));
    return aggregations;
  }
}

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

const isSlow = ({ fields }: StoreNumbers): boolean => fields !== null && documentsOf(fields.value) >= SLOW_INDEX;

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
