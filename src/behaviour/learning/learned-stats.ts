/**
 * What jobs have learned of a store as a whole: shares of features, related products, repurchase rates, by key.
 * A generation is written beside the serving one and then switched at once, so that readers never see half of one.
 * Values are JSON. Reads of many keys are one round trip.
 */
export abstract class LearnedStats {
  /** Values of the serving generation; keys without a value are absent. */
  abstract read(store: string, keys: string[]): Promise<Map<string, unknown>>;
  /** Number of the serving generation; 0: nothing learned yet. */
  abstract generation(store: string): Promise<number>;
  /** Adds entries to a generation that is being built. */
  abstract write(store: string, generation: number, entries: [key: string, value: unknown][]): Promise<void>;
  /** Makes a generation the serving one, unless a later one serves already, and removes those before it. */
  abstract serve(store: string, generation: number): Promise<void>;
  abstract removeStore(store: string): Promise<number>;
}
