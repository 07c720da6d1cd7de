/**
 * Where the learned popularity of products goes: search implements it (SearchEngine.setTrend), behaviour only knows this. Null: nothing is learned of it
 * any more. Products not named keep what they had. Searches see it once `searchable` has resolved.
 */
export abstract class TrendSink {
  abstract setTrend(store: string, trend: [productId: string, value: number | null][]): Promise<void>;
  abstract searchable(store: string): Promise<void>;
}
