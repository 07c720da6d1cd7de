import type { JoinedSearch, LoggedSearch } from './logged-search';
import type { StoredOutcome } from './possible-outcome';

/** Searches in their order, each with its outcomes in theirs; of an outcome that was kept twice, the first. */
export function joined(searches: readonly LoggedSearch[], outcomes: readonly StoredOutcome[]): JoinedSearch[] {
  const bySearch = new Map<string, JoinedSearch['outcomes']>();
  const seen = new Set<string>();
  for (const { id, searchId, shopper: _whose, isClick: _isClick, store: _store, ...outcome } of outcomes) {
    if (seen.has(id)) continue;
    seen.add(id);
    const known = bySearch.get(searchId);
    if (known) known.push(outcome);
    else bySearch.set(searchId, [outcome]);
  }
  return searches.map((search) => ({ ...search, outcomes: bySearch.get(search.searchId) ?? [] }));
}
