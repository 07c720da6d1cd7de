import { EVERY_CHANNEL, firstChannel } from '../../../channels';
import { facets, type RangeKind, rangesFacet, storedAs } from '../../../facets';
import type { PlanFilter, QueryPlan } from '../../../plan/query-plan';
import type { Query } from './function-score';

type Visible = Pick<QueryPlan, 'channels' | 'availableOnly' | 'rules'>;

/** Documents the plan's channels see and no rule hides: of each product one, as it is in the first of them in which it exists. */
export function visible({ channels, availableOnly, rules }: Visible): Query[] {
  const hidden = rules?.hidden ?? [];
  const seen = channels.map((channel, index): Query => {
    const earlier = channels.slice(0, index).map((other) => isIn(other, 'siblingChannels', 'siblingExclusions'));
    const own = isIn(channel, 'channel', 'excludedChannels');
    return earlier.length === 0 ? own : { bool: { filter: [own], must_not: earlier } };
  });
  const [only = { match_none: {} }] = seen;
  return [
    seen.length > 1 ? { bool: { should: seen } } : only,
    ...(availableOnly ? [{ term: { available: true } }] : []),
    ...(hidden.length > 0 ? [{ bool: { must_not: [{ terms: { productId: [...hidden] } }] } }] : []),
  ];
}

/** In a channel by name, or in all but the excluded ones. */
function isIn(channel: string, named: string, excluded: string): Query {
  const everywhere = { filter: [{ term: { [named]: EVERY_CHANNEL } }], must_not: [{ term: { [excluded]: channel } }] };
  return { bool: { should: [{ term: { [named]: channel } }, { bool: everywhere }] } };
}

/** The first of the plan's channels that a document is in. */
export function channelOf(channels: readonly string[], own: string, excluded: readonly string[]): string {
  return channels[firstChannel(channels, own, EVERY_CHANNEL, new Set(excluded))] ?? '';
}

export function filterQuery(filter: PlanFilter): Query {
  if ('keys' in filter) {
    const { stored, prefix } = storedAs(filter.kind);
    return { terms: { [facets[stored].fields.key]: filter.keys.map((key) => prefix + key) } };
  }
  const ranges = filter.ranges.map((range) => rangeQuery(filter.kind, range));
  return { bool: { should: ranges, minimum_should_match: 1 } };
}

/** Inclusive; null: no bound. */
export function rangeQuery(kind: RangeKind, { min, max }: { min: number | null; max: number | null }): Query {
  const bounds = { ...(min === null ? {} : { gte: min }), ...(max === null ? {} : { lte: max }) };
  return { range: { [rangesFacet(kind).field]: bounds } };
}
