import type { EngineProduct } from './search-engine';

/** What a write of a product does to what is stored. `version`: the one to store. */
export type WriteDecision = { kind: 'replace'; version: number } | { kind: 'outdated' } | { kind: 'nothing' };

/**
 * A version older than the stored one changes nothing. A removal without a version removes whatever is stored. A removed
 * product keeps its version (a tombstone), so that an older write that comes later is seen to be older.
 */
export function decideWrite(
  { version, documents }: EngineProduct,
  stored: { version: number; exists: boolean },
): WriteDecision {
  const given = Math.max(version ?? 0, ...documents.map((document) => document.version));
  const named = documents.length > 0 || version !== undefined;
  if (named && given < stored.version) return { kind: 'outdated' };
  if (!named && !stored.exists) return { kind: 'nothing' };
  return { kind: 'replace', version: Math.max(given, stored.version) };
}
