/** A line of an export; `type` says which archive it belongs to. */
export interface ArchiveEntry {
  type: string;
}

/**
 * One capability's share of an installation: read out whole, and written into an empty one, whatever storage either has. What an entry
 * looks like stands beside the capability's port; adapters page through what they keep, and write entries back. Hidden: what follows from
 * the entries and is made again by `restore` (pending markers, links, names of channels). Left out: what jobs make anew (index,
 * features, vectors, learned numbers), and what is of no use elsewhere (jobs).
 */
export abstract class Archive<E extends ArchiveEntry = ArchiveEntry> {
  abstract readonly types: readonly E['type'][];
  /** Everything, a page at a time, so that memory stays fixed. Nobody else may be writing. */
  abstract read(): AsyncGenerator<E[]>;
  /** Writes entries as they were read; the same ones again are harmless. Durable when it resolves. */
  abstract restore(entries: readonly E[]): Promise<void>;
  /** Changes with every write: what was read while it stayed the same is whole. */
  abstract state(): Promise<string>;
}

/** Injects every capability's archive, in the order of an export. */
export const ARCHIVES = Symbol('archives');
