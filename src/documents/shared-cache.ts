import { Mutex } from '../shared/async/mutex';
import { retry } from '../shared/async/retry';
import { DocumentConflict, type Documents, type PutDocument } from './documents';
import type { SeenVersions } from './peers';

/** Changes in a row that another process came before, and the longest pause after the first of them in milliseconds. */
const CONFLICTS = { times: 10, pauseMs: 10 };

const versionKey = (cache: string) => ({ store: '*', kind: 'changes', id: cache });

export interface CacheSetup {
  name: string;
  /** Called by `open`, and from then on whenever another process has changed something. */
  reload(): Promise<void>;
  /** Makes this process one that others wait for. */
  join?(): Promise<void>;
  /** Waits for the other processes. */
  seenByAll?(versions: SeenVersions): Promise<void>;
}

/**
 * What a process holds in memory of documents that other processes change too. Each cache has a version: a document that is written with
 * every change. One read of it tells whether anything is new. Where no other process writes, it costs nothing.
 */
export class SharedCache {
  private version = 0;
  /** The newest that was written here: others may have written before it what is not read yet. */
  private written = 0;
  private readonly mutex = new Mutex();
  private readonly name: string;
  private readonly reload: () => Promise<void>;

  constructor(
    private readonly documents: Documents,
    private readonly of: CacheSetup,
  ) {
    this.name = of.name;
    this.reload = of.reload;
  }

  /** The version this process has seen. */
  get seen(): number {
    return this.version;
  }

  /**
   * Waits until every process has seen what was changed here, so that whoever is answered then finds the same on each; but not for long: one
   * that hangs must not hold up the others.
   */
  async seenByAll(): Promise<void> {
    await this.of.seenByAll?.({ [this.name]: Math.max(this.version, this.written) });
  }

  /** Reads everything for the first time. */
  async open(): Promise<void> {
    // From here on others wait for this process, so that it does not begin with what is old already.
    await this.of.join?.();
    if (!(await this.refresh())) await this.reload();
  }

  /** Reads everything again where it has changed elsewhere, and answers whether it had. */
  refresh(): Promise<boolean> {
    // One at a time with `put`: what was read before a change of ours must not replace it.
    return this.mutex.run(async () => {
      if (!this.documents.shared) return false;
      const version = (await this.documents.get(versionKey(this.name)))?.version ?? 0;
      if (version === this.version) return false;
      await this.reload();
      this.version = version;
      return true;
    });
  }

  /** Puts the documents of a change. Throws DocumentConflict where it was decided on what is no longer the newest. */
  put(documents: PutDocument[]): Promise<number[]> {
    return this.mutex.run(async () => {
      if (!this.documents.shared) return this.documents.put(documents);
      const next = { ...versionKey(this.name), body: null, expectedVersion: this.version };
      const versions = await this.documents.put([...documents, next]);
      this.version = this.written = versions.pop() ?? 0;
      return versions;
    });
  }

  /** Makes every process refresh, whatever others have changed meanwhile. */
  invalidate(): Promise<void> {
    return this.mutex.run(async () => {
      if (!this.documents.shared) return;
      const [version = 0] = await this.documents.put([{ ...versionKey(this.name), body: null }]);
      this.written = version;
      // Otherwise the next refresh finds what else has changed.
      if (version === this.version + 1) this.version = version;
    });
  }

  /** Runs a change on what is newest, and again where another process came before it. */
  retryOnConflict<T>(change: () => Promise<T>): Promise<T> {
    const again = (error: unknown): boolean => error instanceof DocumentConflict && this.documents.shared;
    const attempt = async (): Promise<T> => {
      await this.refresh();
      return change();
    };
    return retry(attempt, { ...CONFLICTS, again });
  }
}
