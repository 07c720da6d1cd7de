import { searchedFields, type TextSettings } from '../../../../ranking/text';
import { textFields } from '../../../../ranking/template/text-fields';
import { matchedChanges } from '../../../plan/matched-changes';
import { matchedSynonyms } from '../../../plan/matched-synonyms';
import type { QueryPlan, TermVariant } from '../../../plan/query-plan';
import type { EngineHit } from '../../../search-engine';
import type { TokenRows } from './match-terms';

/** What each of some rows matches by, where it is not as typed. The postings of every variant are gone through once. */
export function matchesOfRows(
  tokens: TokenRows,
  plan: QueryPlan,
  { rows, settings }: { rows: ReadonlySet<number>; settings: TextSettings },
): (row: number) => Required<Pick<EngineHit, 'synonyms' | 'changes'>> {
  const fields = searchedFields(settings).reduce((mask, field) => mask | (1 << textFields.indexOf(field)), 0);
  const known = new Map<TermVariant, Set<number>>();
  const having = (variant: TermVariant): Set<number> => {
    const found = known.get(variant) ?? tokens.having(tokens.variantTokens(variant), fields, rows);
    known.set(variant, found);
    return found;
  };
  return (row) => {
    const has = (variant: TermVariant): boolean => having(variant).has(row);
    return { synonyms: matchedSynonyms(plan, has), changes: matchedChanges(plan, has) };
  };
}
