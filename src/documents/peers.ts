/** The version of each shared cache that a process has seen, by the cache's name. */
export type SeenVersions = Readonly<Record<string, number>>;

/** Whether a process that has seen this lacks some of what is wanted. Caches it does not hold are none of its business. */
export function isBehind(seen: SeenVersions, wanted: SeenVersions): boolean {
  return Object.entries(wanted).some(([name, version]) => (seen[name] ?? Infinity) < version);
}

/**
 * The processes of one installation, and how far each has seen what others changed. Only a hint, kept nowhere for long: what was changed is
 * in the documents. Left out on purpose: who the others are.
 */
export abstract class Peers {
  /** Says what this process has seen, and answers what each other one has that is alive. Throws where that can't be found out. */
  abstract exchange(seen: SeenVersions): Promise<SeenVersions[]>;
  /** This process ends: nobody waits for it any more. */
  abstract leave(): Promise<void>;
}

/** Those of a process that is the only one. */
export class NoPeers extends Peers {
  override async exchange(): Promise<SeenVersions[]> {
    return [];
  }

  override async leave(): Promise<void> {}
}
