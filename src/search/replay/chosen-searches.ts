import { digestOf } from '../../shared/digest';
import type { JoinedSearch } from '../log/logged-search';
import { judge as judgeDeeds, type JudgedSearch } from './judged-search';

/** Why a search says nothing of a template. */
export const LEFT_OUT = ['bot', 'listing', 'no_outcome', 'not_found', 'sampled_out'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

export interface ChosenSearch {
  search: JoinedSearch;
  judged: JudgedSearch;
}

export interface ChosenSearches {
  chosen: ChosenSearch[];
  left: Record<LeftOut, number>;
}

export const nothingLeft = (): Record<LeftOut, number> => ({
  bot: 0,
  listing: 0,
  no_outcome: 0,
  not_found: 0,
  sampled_out: 0,
});

/**
 * The searches a replay rests on: those of people that something followed from. Of more than `most` a sample, the same one every time, so
 * that two templates are judged by the same searches. Ordered by time.
 */
export async function chooseSearches(
  pages: AsyncIterable<readonly JoinedSearch[]>,
  { most, signal, judge = judgeDeeds }: { most: number; signal?: AbortSignal; judge?: typeof judgeDeeds },
): Promise<ChosenSearches> {
  const left = nothingLeft();
  let chosen: (ChosenSearch & { lot: string })[] = [];
  const trim = (): void => {
    const kept = chosen.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).slice(0, most);
    left.sampled_out += chosen.length - kept.length;
    chosen = kept;
  };
  for await (const page of pages) {
    signal?.throwIfAborted();
    for (const search of page) {
      const judged = judge(search);
      const reason = reasonAgainst(search, judged);
      if (reason) left[reason] += 1;
      else chosen.push({ search, judged, lot: digestOf(search.searchId) });
    }
    if (chosen.length > 2 * most) trim();
  }
  trim();
  chosen.sort((a, b) => a.search.at - b.search.at);
  return { chosen: chosen.map(({ search, judged }) => ({ search, judged })), left };
}

function reasonAgainst(search: JoinedSearch, judged: JudgedSearch): LeftOut | null {
  if (search.isBot) return 'bot';
  // What a category page or a hotsite lists is not in the log.
  if (search.listing !== undefined) return 'listing';
  return judged.size === 0 ? 'no_outcome' : null;
}
