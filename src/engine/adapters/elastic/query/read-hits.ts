import { textFields } from '../../../../ranking/text-fields';
import { explainQuality, qualityFormula } from '../../../../ranking/quality';
import { signalData } from '../../../../ranking/signals';
import { type Explanation, explainHit, topCategoryOf } from '../../../../ranking/score';
import { type FieldMatch, searchedFields, textScore, tokenFrequency } from '../../../../ranking/text';
import type { EngineHit } from '../../../search-engine';
import { channelOf } from './hit-filters';
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

export function readHit(hit: AnsweredHit, request: HitsRequest, { scale, tiers }: HitsQuery): EngineHit {
  const document = hit._source as IndexedDocument | undefined;
  const channel = String(document?.channel ?? hit.fields?.['channel']?.[0] ?? '');
  const excluded = document?.excludedChannels ?? (hit.fields?.['excludedChannels'] as string[] | undefined) ?? [];
  const score = hit._score ?? 0;
  const tier = Math.min(Math.floor(score), tiers.length - 1);
  return {
    productId: productIdOf(hit),
    channel: channelOf(request.plan.channels, channel, excluded),
    version: Number(document?.version ?? hit.fields?.['version']?.[0] ?? 0),
    score: (score - tier) / scale,
    tier: tiers[tier] ?? null,
    ...(document ? { explanation: explain(document, request) } : {}),
  };
}

/** Computed by the formula from the document, independently of the score that Elasticsearch answered. */
function explain(document: IndexedDocument, request: HitsRequest): Explanation {
  const { plan, template, boosts, numbers } = request;
  const { productId: id, features = [], price = 0, trend = null } = document;
  const topCategory = topCategoryOf(features);
  const target = { id, features, price, ...(topCategory === undefined ? {} : { topCategory }) };
  const data = signalData(document, trend);
  return explainHit({
    text: plan.match.kind === 'terms' ? textScore(matches(document, request), numbers.fields, template) : 1,
    quality: explainQuality(qualityFormula(template, plan.now), data),
    boosts: boosts && groupedBoosts(boosts, target),
    target,
  });
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
