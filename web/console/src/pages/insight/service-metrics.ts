import { answerOf, api } from '../../api/client.ts';

/** What `/metrics` tells of events: of the whole service, since its process began. */
export interface EventNumbers {
  verdicts: readonly { verdict: string; count: number }[];
  /** Until half, and 95 of 100, of the events ranked; null: none came in yet. */
  median: Bound | null;
  slow: Bound | null;
}

/** Within so many seconds; `isMore`: it took longer than the service tells apart. */
interface Bound {
  seconds: number;
  isMore: boolean;
}

export async function readEventNumbers(signal: AbortSignal): Promise<EventNumbers> {
  return eventNumbers(await answerOf(api.GET('/metrics', { parseAs: 'text', signal })));
}

/** Prometheus' text format, of which two metrics are read. */
export function eventNumbers(text: string): EventNumbers {
  const lines = text.split('\n');
  const verdicts = lines.flatMap((line) => {
    const [, verdict, count] = /^events_total\{verdict="([^"]*)"\} (\S+)$/.exec(line) ?? [];
    return verdict === undefined ? [] : [{ verdict, count: Number(count) }];
  });
  const buckets = lines.flatMap((line) => {
    const [, limit, count] = /^event_to_ranking_seconds_bucket\{le="([^"]*)"\} (\S+)$/.exec(line) ?? [];
    return limit === undefined ? [] : [{ limit: limit === '+Inf' ? Infinity : Number(limit), count: Number(count) }];
  });
  const all = buckets.at(-1)?.count ?? 0;
  const longest = buckets.at(-2)?.limit ?? 0;
  const within = (share: number): Bound | null => {
    const bucket = all === 0 ? undefined : buckets.find(({ count }) => count >= share * all);
    if (!bucket) return null;
    return Number.isFinite(bucket.limit)
      ? { seconds: bucket.limit, isMore: false }
      : { seconds: longest, isMore: true };
  };
  return { verdicts, median: within(0.5), slow: within(0.95) };
}
