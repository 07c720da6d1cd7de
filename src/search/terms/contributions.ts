const DAY = 86_400_000;

/** One shopper's part in a term: that they searched it, and found something. */
export interface Contribution {
  /** Keyed hashes of the ids that were sent; neither where nobody was named. */
  user: string | null;
  device: string | null;
  /** Tells addresses apart, without saying which they are; null: store keys came along. */
  address: string | null;
  /** Epoch ms. */
  at: number;
}

/** How long a search counts. */
export const COUNTS_FOR = 30 * DAY;
/** So many shoppers show a term to others; without keys they come from so many addresses. */
const SHOPPERS = 3;
const ADDRESSES = 2;
/** Shoppers of one term that are kept: the latest. A term that has lost the others is still shown. */
export const MOST_SHOPPERS = 20;
/** Of them, so many may be from one address. Ids are made up freely where no keys come along, addresses are not. */
export const MOST_OF_AN_ADDRESS = 2;

/** What is kept of a term once others have searched it too, oldest first: one contribution for each shopper. */
export function withContributions(
  kept: readonly Contribution[],
  fresh: readonly Contribution[],
  now: number,
): Contribution[] {
  const live = kept.filter(({ at }) => at > now - COUNTS_FOR);
  const all = fresh.toSorted((a, b) => a.at - b.at).reduce(withOne, live);
  return all.slice(-MOST_SHOPPERS);
}

function withOne(kept: readonly Contribution[], one: Contribution): Contribution[] {
  const same = kept.filter((other) => isSameShopper(other, one));
  // Of the users who share a device, one may have searched without being named.
  const own = one.user === null ? same.slice(0, 1) : same;
  if (own.length > 0) return [...kept.filter((other) => !own.includes(other)), merged([...own, one])].sort(byTime);
  const ofAddress = one.address === null ? [] : kept.filter(({ address }) => address === one.address);
  const oldest = ofAddress.length < MOST_OF_AN_ADDRESS ? undefined : ofAddress[0];
  if (oldest && one.at - oldest.at < DAY) return [...kept];
  return [...kept.filter((other) => other !== oldest), one].sort(byTime);
}

const byTime = (a: Contribution, b: Contribution): number => a.at - b.at;

/** A device is its user's wherever it was seen with one. Who is not named at all is known by the address. */
function isSameShopper(a: Contribution, b: Contribution): boolean {
  if (a.user !== null && b.user !== null) return a.user === b.user;
  if (a.device !== null && b.device !== null) return a.device === b.device;
  const unnamed = [a, b].every(({ user, device }) => user === null && device === null);
  return unnamed && a.address === b.address;
}

/** Keys that came along once are not forgotten, and the first address stays: whoever makes up a known id changes nothing. */
function merged(own: readonly Contribution[]): Contribution {
  const first = <T>(values: (T | null)[]): T | null => values.find((value) => value !== null) ?? null;
  return {
    user: first(own.map(({ user }) => user)),
    device: first(own.map(({ device }) => device)),
    address: own.some(({ address }) => address === null) ? null : first(own.map(({ address }) => address)),
    at: Math.max(...own.map(({ at }) => at)),
  };
}

/** Until when (epoch ms) a term may be shown to others if nobody searches it any more; 0: it may not. */
export function shownUntil(kept: readonly Contribution[]): number {
  for (let from = kept.length - 1; from >= 0; from--) {
    const oldest = kept[from];
    if (oldest && isEnough(kept.slice(from))) return oldest.at + COUNTS_FOR;
  }
  return 0;
}

function isEnough(contributions: readonly Contribution[]): boolean {
  const addresses = contributions.flatMap(({ address }) => address ?? []);
  if (contributions.length - addresses.length >= SHOPPERS) return true;
  return contributions.length >= SHOPPERS && new Set(addresses).size >= ADDRESSES;
}

/** `names`: keyed hashes of users and devices. */
export function withoutShoppers(kept: readonly Contribution[], names: ReadonlySet<string>): Contribution[] {
  return kept.filter((contribution) => !namesOf([contribution]).some((name) => names.has(name)));
}

/** The keyed hashes under which contributions are found again. */
export function namesOf(contributions: readonly Contribution[]): string[] {
  return [...new Set(contributions.flatMap(({ user, device }) => [user, device]))].filter((name) => name !== null);
}

type Packed = [user: string | null, device: string | null, address: string | null, at: number];

/** As adapters keep them. */
export function pack(contributions: readonly Contribution[]): string {
  return JSON.stringify(contributions.map(({ user, device, address, at }): Packed => [user, device, address, at]));
}

export function unpack(text: string): Contribution[] {
  return (JSON.parse(text) as Packed[]).map(([user, device, address, at]) => ({ user, device, address, at }));
}
