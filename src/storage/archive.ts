/** A line of an export; `type` says which archive it belongs to. */
export interface ArchiveEntry {
  type: string;
}

/**
 * One capability's share of an installation: read out whole, and written into an empty one, whatever either is kept in. What an
 * entry looks like stands beside the capability's port; adapters page through what they keep and write entries back. Hidden: what
 * follows from the entries and is made again where they are restored (markers, links, names of channels). Left out: what jobs
 * make anew (index, features, vectors, learned numbers), and what is of no use elsewhere (jobs).
 */
export abstract class Archive<E extends ArchiveEntry = ArchiveEntry> {
  abstract readonly types: readonly E['type'][];
  /** Everything, a page at a time, so that memory stays fixed. Nobody else may be writing. */
  abstract read(): AsyncGenerator<E[]>;
  /** Writes entries as they were read; again, or the same ones again, is harmless. Durable when it resolves. */
  abstract restore(entries: readonly E[]): Promise<void>;
  /** Changes whenever something is written: what was read while it did not change is whole. */
  abstract state(): Promise<string>;
}

/** Injects every capability's archive, in the order of an export. */
export const ARCHIVES = Symbol('archives');
