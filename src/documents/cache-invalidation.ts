import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Mutex } from '../shared/async/mutex';
import { Periodic } from '../shared/async/periodic';
import { retry } from '../shared/async/retry';
import { DocumentConflict, Documents, type PutDocument } from './documents';

/** Milliseconds between refreshes: what one replica changes holds on all within a second. */
const REFRESH_MS = 400;
/** Changes in a row that another process came before, and the longest pause after the first of them in milliseconds. */
const CONFLICTS = { times: 10, pauseMs: 10 };

const versionKey = (cache: string) => ({ store: '*', kind: 'changes', id: cache });

/**
 * What a process holds in memory of documents that other processes change too. Each cache has a version: a document that is written with
 * every change. One read of it tells whether anything is new. Where no other process writes, it costs nothing.
 */
export class SharedCache {
  private version = 0;
  private readonly mutex = new Mutex();

  constructor(
    private readonly documents: Documents,
    private readonly name: string,
    private readonly reload: () => Promise<void>,
  ) {}

  /** Reads everything for the first time. */
  async open(): Promise<void> {
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
      this.version = versions.pop() ?? 0;
      return versions;
    });
  }

  /** Makes every process refresh, whatever others have changed meanwhile. */
  invalidate(): Promise<void> {
    return this.mutex.run(async () => {
      if (!this.documents.shared) return;
      const [version = 0] = await this.documents.put([{ ...versionKey(this.name), body: null }]);
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

/** Keeps all shared caches of this process current. */
@Injectable()
export class CacheInvalidation implements OnModuleDestroy {
  private readonly logger = new Logger('CacheInvalidation');
  private readonly caches: SharedCache[] = [];
  /** While nobody answers, the caches serve what they hold. */
  private readonly refreshing = new Periodic(
    REFRESH_MS,
    () => Promise.all(this.caches.map((cache) => cache.refresh())),
    (error) => this.logger.warn(`Changes made elsewhere are not seen at the moment: ${String(error)}`),
  );

  constructor(private readonly documents: Documents) {}

  /** `reload` is called by `open`, and from then on whenever another process has changed something. */
  cache(name: string, reload: () => Promise<void>): SharedCache {
    const cache = new SharedCache(this.documents, name, reload);
    this.caches.push(cache);
    if (this.documents.shared) this.refreshing.start();
    return cache;
  }

  async onModuleDestroy(): Promise<void> {
    await this.refreshing.stop();
  }
}
