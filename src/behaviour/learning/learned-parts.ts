import { productStatsKey, shareKey } from '../../ranking/affinity';
import { trendValue } from '../../ranking/quality';
import type { LearnedModel } from '../../ranking/learning/learn';
import type { LearnedPart, LearnRequest } from './model-learner';

/** Numbers of one part. */
const PART = 2000;

type Learned = { entry: [key: string, value: unknown] } | { trend: [productId: string, value: number] };

function* learnedOf(model: LearnedModel, sold: Map<string, number>, { trend: rule }: LearnRequest): Generator<Learned> {
  for (const [feature, share] of model.shares) yield { entry: [shareKey(feature), share] };
  for (const [product, productStats] of model.productStats) yield { entry: [productStatsKey(product), productStats] };
  for (const [product, buyers] of model.trend) {
    yield { trend: [product, trendValue({ ...buyers, sold: sold.get(product) ?? null }, rule)] };
  }
}

/** A model in parts of bounded size. `sold`: what the feed says was sold, of the products that say so. */
export function* partsOf(
  model: LearnedModel,
  sold: Map<string, number>,
  request: LearnRequest,
): Generator<LearnedPart, void, void> {
  let part: LearnedPart = { entries: [], trend: [] };
  for (const one of learnedOf(model, sold, request)) {
    if ('entry' in one) part.entries.push(one.entry);
    else part.trend.push(one.trend);
    if (part.entries.length + part.trend.length === PART) {
      yield part;
      part = { entries: [], trend: [] };
    }
  }
  yield part;
}
