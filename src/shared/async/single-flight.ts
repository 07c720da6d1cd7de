/** Callers who ask for the same at the same time share one call. Nothing is remembered when it has ended. */
export class SingleFlight<T> {
  private readonly calls = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.calls.get(key);
    if (known) return known;
    const call = work().finally(() => this.calls.delete(key));
    this.calls.set(key, call);
    return call;
  }
}

interface PromiseCache<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, value: Promise<T>): unknown;
  delete(key: K): unknown;
  /** The entry itself, without counting as a use; a Map has none. */
  peek?(key: K): Promise<T> | undefined;
}

/** What `cache` remembers under `key`, or else what `read` answers, remembered from the moment it is asked. Failures are forgotten. */
export function cached<K, T>(cache: PromiseCache<K, T>, key: K, read: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known) return known;
  const reading = read();
  cache.set(key, reading);
  reading.catch(() => {
    const current = cache.peek ? cache.peek(key) : cache.get(key);
    if (current === reading) cache.delete(key);
  });
  return reading;
}
