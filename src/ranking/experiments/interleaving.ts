/**
 * Team-draft interleaving (Radlinski, Kurup, Joachims, "How Does Clickthrough Data Reflect Retrieval Quality?", CIKM 2008): two rankings are
 * dealt into one list as captains pick teams, and clicks say whose picks shoppers prefer. Each shopper compares both, so that it needs far
 * fewer searches than an experiment to find the better one; by how much it sells more it can't say.
 */

export type Team = 'a' | 'b';

export interface Interleaved {
  /** In the order shown. */
  shown: string[];
  /** Who picked each of them. */
  teams: Team[];
}

/** `coin`: from 0 to 1, exclusive, asked whenever both have picked equally often. Each ranking names a product once at most. */
export function teamDraft(
  rankings: Readonly<Record<Team, readonly string[]>>,
  length: number,
  coin: () => number,
): Interleaved {
  const shown = new Set<string>();
  const teams: Team[] = [];
  const next: Record<Team, number> = { a: 0, b: 0 };
  const picked: Record<Team, number> = { a: 0, b: 0 };
  const pick = (team: Team): string | undefined => {
    const ranking = rankings[team];
    while (next[team] < ranking.length && shown.has(ranking[next[team]]!)) next[team] += 1;
    return ranking[next[team]];
  };
  while (teams.length < length) {
    const isTie = picked.a === picked.b;
    const turn: Team = (isTie ? coin() < 0.5 : picked.a < picked.b) ? 'a' : 'b';
    // A ranking that has nothing left leaves its turn to the other.
    const team = pick(turn) === undefined ? other(turn) : turn;
    const product = pick(team);
    if (product === undefined) break;
    shown.add(product);
    teams.push(team);
    picked[team] += 1;
  }
  return { shown: [...shown], teams };
}

const other = (team: Team): Team => (team === 'a' ? 'b' : 'a');

/** What a list that two rankings were dealt into began with. */
export interface Mixed {
  /** Product ids, in the order shown. */
  shown: string[];
  /** A letter for each of them: whose pick it was; `-`: nobody's. */
  teams: string;
}

export const NOBODYS = '-';

/**
 * A letter for each product of a list. Where both rankings begin alike nobody picked: a click there says nothing of either, and would only add chance.
 */
export function teamsOf(rankings: Readonly<Record<Team, readonly string[]>>, teams: readonly Team[]): string {
  let alike = 0;
  while (alike < teams.length && rankings.a[alike] === rankings.b[alike]) alike += 1;
  return NOBODYS.repeat(alike) + teams.slice(alike).join('');
}

/** Whose picks had more of the clicks; null: neither's. Positions in the list begin at 0, each counts once. */
export function searchWinner(teams: string, clicked: Iterable<number>): Team | null {
  let lead = 0;
  for (const position of new Set(clicked)) {
    const team = teams[position];
    if (team === 'a') lead += 1;
    if (team === 'b') lead -= 1;
  }
  if (lead === 0) return null;
  return lead > 0 ? 'a' : 'b';
}
