import { searchedFields, type TextSettings } from '../../../../ranking/text';
import { textFields } from '../../../../ranking/template/text-fields';
import { hasSynonyms, type MatchedSynonym, matchedSynonyms } from '../../../plan/matched-synonyms';
import type { QueryPlan, TermVariant } from '../../../plan/query-plan';
import type { TokenRows } from './match-terms';

/** The synonyms that each of some rows matches by. The postings of every variant are gone through once. */
export function synonymsOfRows(
  tokens: TokenRows,
  plan: QueryPlan,
  { rows, settings }: { rows: ReadonlySet<number>; settings: TextSettings },
): (row: number) => MatchedSynonym[] {
  if (!hasSynonyms(plan)) return () => [];
  const fields = searchedFields(settings).reduce((mask, field) => mask | (1 << textFields.indexOf(field)), 0);
  const known = new Map<TermVariant, Set<number>>();
  const having = (variant: TermVariant): Set<number> => {
    const found = known.get(variant) ?? tokens.having(tokens.variantTokens(variant), fields, rows);
    known.set(variant, found);
    return found;
  };
  return (row) => matchedSynonyms(plan, (variant) => having(variant).has(row));
}
