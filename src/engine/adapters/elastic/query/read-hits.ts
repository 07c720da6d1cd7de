import { textFields } from '../../../../ranking/template/text-fields';
import { explainQuality, qualityFormula } from '../../../../ranking/quality';
import { signalData } from '../../../../ranking/signal-numbers';
import type { Boosts } from '../../../../ranking/affinity';
import { type Explanation, explainHit, type PersonalTarget, topCategoryOf } from '../../../../ranking/score';
import { type FieldMatch, searchedFields, textScore, tokenFrequency } from '../../../../ranking/text';
import type { EngineHit } from '../../../search-engine';
import { facets } from '../../../facets';
import { matchedChanges } from '../../../plan/matched-changes';
import { matchedSynonyms } from '../../../plan/matched-synonyms';
import type { TermVariant } from '../../../plan/query-plan';
import { ruleEntries } from '../../../plan/plan-rules';
import { readEntry } from '../mapping/facet-entries';
import { channelOf } from './hit-filters';
import { aboutOf } from './about-query';
import { groupedBoosts } from './personal-functions';
import { type IndexedDocument, LENGTH_UNIT } from '../mapping/product-document';
import type { HitsQuery, HitsRequest } from './search-bodies';
import { variantToken } from './text-query';

/** A hit of the answer: columns, or the whole document where it is to be explained. */
export interface AnsweredHit {
  _score?: number | null;
  fields?: Record<string, unknown[]>;
  _source?: unknown;
}

/**
 * The hits of a `scorePageBody` in the order of score and product id; null where products of the same score stand on both sides of
 * an edge of the page, so that only the engine can tell which of them are on it.
 */
export function orderTies(
  hits: readonly AnsweredHit[],
  { from, size }: { from: number; size: number },
): AnsweredHit[] | null {
  const before = Math.min(1, from);
  const end = before + size;
  const isTied = (index: number): boolean => {
    const [one, next] = [hits[index - 1], hits[index]];
    return one !== undefined && next !== undefined && one._score === next._score;
  };
  if (isTied(before) || isTied(end)) return null;
  const id = (hit: AnsweredHit): Buffer => Buffer.from(productIdOf(hit));
  return hits.slice(before, end).sort((a, b) => (b._score ?? 0) - (a._score ?? 0) || Buffer.compare(id(a), id(b)));
}

const productIdOf = ({ _source, fields }: AnsweredHit): string =>
  String((_source as IndexedDocument | undefined)?.productId ?? fields?.['productId']?.[0] ?? '');

export function readHit(hit: AnsweredHit, request: HitsRequest, { scale, all }: HitsQuery): EngineHit {
  const document = hit._source as IndexedDocument | undefined;
  const channel = String(document?.channel ?? hit.fields?.['channel']?.[0] ?? '');
  const excluded = document?.excludedChannels ?? (hit.fields?.['excludedChannels'] as string[] | undefined) ?? [];
  const { tier, step, part } = tierOf(hit._score ?? 0, request, all);
  return {
    productId: productIdOf(hit),
    channel: channelOf(request.plan.channels, channel, excluded),
    version: Number(document?.version ?? hit.fields?.['version']?.[0] ?? 0),
    score: part / scale,
    tier,
    ...(request.template.maxShare === null ? {} : { brand: brandOf(hit), step }),
    ...(document ? explained(document, request, groupedBoosts) : {}),
  };
}

type BoostsOf = (boosts: Boosts, target: PersonalTarget) => Boosts;

/** Why a hit stands where it does. `boostsOf`: the boosts as they were applied to it. */
export function explained(
  document: IndexedDocument,
  request: HitsRequest,
  boostsOf: BoostsOf,
): Pick<EngineHit, 'explanation' | 'synonyms' | 'changes'> {
  const has = variantsOf(document, request);
  return {
    explanation: explain(document, request, boostsOf),
    synonyms: matchedSynonyms(request.plan, has),
    changes: matchedChanges(request.plan, has),
  };
}

/** The tier that a score says, and what of it is the product's own. Pins stand two above what matches all terms at the least (search-bodies.ts). */
export function tierOf(
  score: number,
  { plan }: Pick<HitsRequest, 'plan'>,
  all: number,
): { tier: EngineHit['tier']; step: number; part: number } {
  const whole = Math.floor(score);
  const isPinned = (plan.rules?.pins.length ?? 0) > 0 && whole >= all + 2;
  const step = isPinned ? whole : Math.min(whole, all + 1);
  return { tier: tierOfStep(step, plan, all), step, part: score - step };
}

export function tierOfStep(step: number, { match, rules }: HitsRequest['plan'], all: number): EngineHit['tier'] {
  if (rules && rules.pins.length > 0 && step >= all + 2) return 'pin';
  if (match.kind !== 'terms') return null;
  return step > all ? 'exact' : step === all ? 'all' : 'some';
}

function brandOf({ _source, fields }: AnsweredHit): string | null {
  const { key, entry: entryField } = facets.brand.fields;
  const entry = fields?.[entryField]?.[0];
  if (entry !== undefined) return readEntry('brand', String(entry), 0).key;
  const brand = (_source as IndexedDocument | undefined)?.[key];
  return typeof brand === 'string' ? brand : null;
}

/** Computed by the formula from the document, independently of the score that Elasticsearch answered. */
function explain(document: IndexedDocument, request: HitsRequest, boostsOf: BoostsOf): Explanation {
  const { plan, template, boosts, numbers } = request;
  const { productId: id, features = [], price = 0, trend = null, trendLog = 0 } = document;
  const topCategory = topCategoryOf(features);
  const target = { id, features, price, ...(topCategory === undefined ? {} : { topCategory }) };
  const data = signalData(document, trend ?? Math.exp(trendLog));
  return explainHit({
    text: plan.match.kind === 'terms' ? textScore(matches(document, request), numbers.fields, template) : 1,
    about: aboutOf(document, plan, numbers, template),
    quality: explainQuality(qualityFormula(template, plan.now), data),
    boosts: boosts && boostsOf(boosts, target),
    target,
    rules: ruleEntries(plan.rules, id),
  });
}

/** Whether a variant is in a searched field of the document. */
function variantsOf({ words }: IndexedDocument, { template }: HitsRequest): (variant: TermVariant) => boolean {
  const fields = searchedFields(template);
  return (variant) => {
    const token = variantToken(variant);
    return fields.some((field) => words?.[field]?.includes(token));
  };
}

function matches({ words, lengths }: IndexedDocument, { plan, template, numbers }: HitsRequest): FieldMatch[][] {
  if (plan.match.kind !== 'terms') return [];
  const fields = searchedFields(template);
  return plan.match.terms.map(({ variants }) =>
    variants.flatMap((variant) => {
      const token = variantToken(variant);
      const byField = numbers.frequencies.get(token) ?? [];
      const frequency = tokenFrequency(fields.map((field) => byField[textFields.indexOf(field)] ?? 0));
      return fields
        .filter((field) => words?.[field]?.includes(token))
        .map((field): FieldMatch => {
          const length = (lengths?.[field] ?? 0) / LENGTH_UNIT;
          return { field, frequency, length, variantWeight: variant.weight };
        });
    }),
  );
}
