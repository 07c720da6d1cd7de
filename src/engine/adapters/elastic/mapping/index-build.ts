/** An index that is being built beside the serving one. */
export interface Build {
  name: string;
  /** Whoever fills the index writes to this alias. It goes with the index, so nobody fills a newer build by mistake. */
  alias: string;
}

/** What a build was filled with, and whether the index it replaces can be gone back to. */
export interface Filled {
  /** Products. */
  filled: number;
  keep: boolean;
}

export interface IndexBuildTimes {
  /** How long a replica uses what it knows of a store's indices. */
  knownMs: number;
  /** After a switch, until the old index is deleted: requests that began before have ended by then. */
  graceMs: number;
  /** A build that takes longer was left by a process that died. */
  longestBuildMs: number;
}

export const INDEX_BUILD_TIMES: IndexBuildTimes = { knownMs: 1000, graceMs: 60_000, longestBuildMs: 86_400_000 };
