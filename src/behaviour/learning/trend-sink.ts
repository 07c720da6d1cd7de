/**
 * Where the learned popularity of products goes: search implements it (SearchEngine.setTrend), behaviour only knows this. Products
 * not named keep what they had.
 */
export abstract class TrendSink {
  abstract setTrend(store: string, trend: [productId: string, value: number][]): Promise<void>;
}
