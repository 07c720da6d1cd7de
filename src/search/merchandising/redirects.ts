import { normaliseWhole } from '../../engine/analysis/normalise';
import type { Redirect } from './merchandising-schemas';

export interface Redirection {
  link: string;
  /** The term of the rule, as the store wrote it. */
  term: string;
}

/** Lists stay the same objects until they are changed. */
const byTerm = new WeakMap<readonly Redirect[], ReadonlyMap<string, Redirection>>();

/** Where a query leads: it has to be the whole of a rule's term, accents, casing and signs aside. The first rule of the list acts. */
export function redirectionOf(redirects: readonly Redirect[], query: string): Redirection | undefined {
  if (redirects.length === 0) return undefined;
  let known = byTerm.get(redirects);
  if (!known) {
    const entries = redirects.flatMap(({ terms, link }) =>
      terms.map((term) => [normaliseWhole(term), { link, term }] as const),
    );
    known = new Map(entries.reverse());
    byTerm.set(redirects, known);
  }
  return known.get(normaliseWhole(query));
}
