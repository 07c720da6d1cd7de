import { aboutFactor } from '../../../../ranking/about';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { aboutStep, askedSubject, type AskedSubject, type SubjectHints } from '../../../plan/asked-subject';
import type { QueryPlan } from '../../../plan/query-plan';
import type { IndexedDocument } from '../mapping/product-document';
import { functionScore, type Query, type ScoreFunction } from './function-score';
import { type TextNumbers, variantToken } from './text-query';

type Asked = Pick<QueryPlan, 'match' | 'language'>;

const NO_HINTS: SubjectHints = {
  isNamed: false,
  standsAside: false,
  isOfBrand: true,
  isInCategory: false,
  isChosen: false,
};

function subjectOfPlan({ match, language }: Asked, { frequencies }: TextNumbers): AskedSubject {
  const ofToken = (token: string): readonly number[] => frequencies.get(token) ?? [];
  const asked = match.kind === 'terms' ? match : { terms: [] };
  return askedSubject(asked, language, { ofToken, ofVariant: (variant) => ofToken(variantToken(variant)) });
}

/** A query's score times how near a product is to what the query is about: the first function that fits. */
export function withAbout(query: Query, plan: Asked, numbers: TextNumbers, template: BoostTemplate): Query {
  if (plan.match.kind !== 'terms' || template.about.step === 1) return query;
  const subject = subjectOfPlan(plan, numbers);
  const weightOf = (hints: Partial<SubjectHints>): number =>
    aboutFactor(template, aboutStep(subject, { ...NO_HINTS, ...hints }));
  const named = (tokens: string[]): Query => ({ terms: { 'words.name': tokens } });
  const functions: ScoreFunction[] = [
    ...(subject.chosen.length > 0 ? [{ filter: named(subject.chosen), weight: weightOf({ isChosen: true }) }] : []),
    ...(subject.named.length > 0 ? [{ filter: named(subject.named), weight: weightOf({ isNamed: true }) }] : []),
    { filter: asideFilter(subject), weight: weightOf({ standsAside: true }) },
    ...(weightOf({}) < 1 ? [{ filter: named(subject.category), weight: weightOf({ isInCategory: true }) }] : []),
    { weight: weightOf({}) },
  ];
  return functionScore(query, functions, { mode: 'first' });
}

function asideFilter({ aside, brand, category }: AskedSubject): Query {
  const marked: Query = { terms: { 'words.name': aside } };
  if (brand.length === 0) return marked;
  const others = [{ terms: { 'words.brand': brand } }, { terms: { 'words.name': category } }];
  return { bool: { should: [marked, { bool: { must_not: others } }] } };
}

/** The same factor of one document, by the formula. */
export function aboutOf(
  { words }: IndexedDocument,
  plan: Asked,
  numbers: TextNumbers,
  template: BoostTemplate,
): number {
  if (plan.match.kind !== 'terms') return 1;
  const subject = subjectOfPlan(plan, numbers);
  const has = (field: 'name' | 'brand', tokens: string[]): boolean =>
    tokens.some((token) => words?.[field]?.includes(token));
  const isNamed = has('name', subject.named);
  const standsAside = has('name', subject.aside);
  const isOfBrand = has('brand', subject.brand);
  const isInCategory = has('name', subject.category);
  const isChosen = has('name', subject.chosen);
  return aboutFactor(template, aboutStep(subject, { isNamed, standsAside, isOfBrand, isInCategory, isChosen }));
}
