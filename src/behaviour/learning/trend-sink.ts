/**
 * Where the learned popularity of products goes: search implements it (SearchEngine.setTrend), behaviour only knows this. Products
 * not named keep what they had. Searches see it once `searchable` has resolved.
 */
export abstract class TrendSink {
  abstract setTrend(store: string, trend: [productId: string, value: number][]): Promise<void>;
  abstract searchable(store: string): Promise<void>;
}
