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

/** Whose picks had more of the clicks; null: neither's. Positions in the list begin at 0, each counts once. */
export function searchWinner({ teams }: Pick<Interleaved, 'teams'>, clicked: Iterable<number>): Team | null {
  let lead = 0;
  for (const position of new Set(clicked)) {
    const team = teams[position];
    if (team !== undefined) lead += team === 'a' ? 1 : -1;
  }
  if (lead === 0) return null;
  return lead > 0 ? 'a' : 'b';
}

export interface InterleavingVerdict {
  wins: Record<Team, number>;
  ties: number;
  /** How often as many wins or more of one side would be chance: the exact two-sided sign test, ties left out. */
  pValue: number;
  /** Null: it may well be chance. */
  better: Team | null;
}

const LEVEL = 0.05;

export function interleavingVerdict(winners: Iterable<Team | null>): InterleavingVerdict {
  const wins: Record<Team, number> = { a: 0, b: 0 };
  let ties = 0;
  for (const winner of winners) {
    if (winner === null) ties += 1;
    else wins[winner] += 1;
  }
  const pValue = signTest(Math.max(wins.a, wins.b), wins.a + wins.b);
  const leader: Team = wins.a >= wins.b ? 'a' : 'b';
  return { wins, ties, pValue, better: pValue < LEVEL ? leader : null };
}

/** The chance that of so many fair tosses one side has `most` or more. */
function signTest(most: number, tosses: number): number {
  // ln of the binomial coefficients, from the last one down: their products pass what a number can hold.
  let lnTerm = -tosses * Math.LN2;
  let tail = 0;
  for (let wins = tosses; wins >= most; wins -= 1) {
    tail += Math.exp(lnTerm);
    lnTerm += Math.log(wins) - Math.log(tosses - wins + 1);
  }
  return Math.min(1, 2 * tail);
}
