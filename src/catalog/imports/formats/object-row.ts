import { ApiError } from '../../../shared/api-error';
import { objectOf } from '../../product/sent-values';
import type { FeedRow } from './feed-format';

/** Levels of a product. Deeper ones only serve to overflow a stack. */
const DEEPEST = 31;

/** A value of a feed that has to be a product. */
export function objectRow(value: unknown): FeedRow {
  const row = objectOf(value);
  if (!row) throw new ApiError('invalid_body', 'A product is a JSON object');
  return row;
}

/** Looks level by level, so that nesting needs no stack. */
export function refuseDeep(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) throw new ApiError('too_deep', `A product nests at most ${DEEPEST + 1} levels deep`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    level = level.filter((one) => typeof one === 'object' && one !== null);
  }
}
