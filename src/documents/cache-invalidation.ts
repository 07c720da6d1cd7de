import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../shared/api-error';
import { Coalesced } from '../shared/async/coalesced';
import { Periodic } from '../shared/async/periodic';
import { retry } from '../shared/async/retry';
import { within } from '../shared/async/within';
import { Documents } from './documents';
import { isBehind, Peers, type SeenVersions } from './peers';
import { SharedCache } from './shared-cache';

/** Milliseconds between refreshes: what one replica changes holds on all within a second, whatever else is down. */
const REFRESH_MS = 400;
/** The same of a process that nobody asks anything, and that hears what the others have seen: a refresh is a request to the storage. */
const IDLE_REFRESH_MS = 4000;
/** Milliseconds that the first request after a rest waits for a refresh at most: what it is answered within is counted from then on. */
const WAKES_WITHIN_MS = 100;
/** Milliseconds after the last request in which a process is idle. */
const IDLE_AFTER_MS = 5000;
/** Milliseconds between looks at what others have seen: mostly a change is read that soon. */
const LISTEN_MS = 100;
/** Milliseconds without an answer after which a process hears nothing. */
const HEARD_MS = 500;
/** How long is waited for other processes: longer than two refreshes, shorter than clients wait for an answer. */
const SEEN_BY_ALL = { forMs: 1000, pauseMs: 15, steady: true };
/** Where it can't be found out what others have seen. */
const UNHEARD_MS = 2 * REFRESH_MS;
/** How long this process may need to read what another one has written. */
const CATCH_UP = { forMs: 10_000, pauseMs: 250, steady: true };

/** Some process has not seen everything yet. */
class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

/** Keeps all shared caches of this process current, and knows how far those of others are. */
@Injectable()
export class CacheInvalidation implements OnModuleDestroy {
  private readonly logger = new Logger('CacheInvalidation');
  private readonly caches = new Map<string, SharedCache>();
  private readonly refreshes = new Coalesced(() => this.refreshAll());
  private refreshedAt = performance.now();
  private usedAt = performance.now();
  private heardAt = -Infinity;
  /** Since the last refresh one may have been left out, as nobody asked anything. */
  private resting = false;
  private waking: Promise<void> | undefined;
  /** While nobody answers, the caches serve what they hold. */
  private readonly refreshing = new Periodic(
    REFRESH_MS,
    () => this.refreshWhereDue(),
    (error) => this.logger.warn(`Changes made elsewhere are not seen at the moment: ${String(error)}`),
  );
  private readonly listening = new Periodic(LISTEN_MS, () => this.listen());

  constructor(
    private readonly documents: Documents,
    private readonly peers: Peers,
  ) {}

  /** `reload` is called by `open`, and from then on whenever another process has changed something. */
  cache(name: string, reload: () => Promise<void>): SharedCache {
    const join = (): Promise<void> => this.join();
    const seenByAll = (versions: SeenVersions): Promise<void> => this.seenByAll(versions);
    const cache = new SharedCache(this.documents, { name, reload, join, seenByAll });
    this.caches.set(name, cache);
    if (this.documents.shared) {
      this.refreshing.start();
      this.listening.start();
    }
    return cache;
  }

  /**
   * Somebody asks this process something. Where it was idle, resolves when it has read what others have changed meanwhile, so that nobody is
   * answered by what is older than a refresh; or when that takes too long. Undefined: nothing has to be waited for.
   */
  noteUse(): Promise<void> | undefined {
    this.usedAt = performance.now();
    if (this.resting) this.waking ??= this.wake();
    return this.waking;
  }

  /** What this process has seen. */
  versions(): SeenVersions {
    if (!this.documents.shared) return {};
    return Object.fromEntries(Array.from(this.caches, ([name, { seen }]) => [name, seen]));
  }

  /** Milliseconds since all that others had changed was known here. */
  behindMs(): number {
    return this.documents.shared ? performance.now() - this.refreshedAt : 0;
  }

  /** Reads what others have changed until now. Callers at the same time share one read. Throws where nobody answers. */
  async refresh(): Promise<void> {
    if (this.documents.shared) await this.refreshes.run();
  }

  /** The same, and again until it is at least `wanted`. Throws with what is lacking where that takes too long. */
  async catchUp(wanted: SeenVersions, signal?: AbortSignal): Promise<void> {
    const attempt = async (): Promise<void> => {
      await this.refresh();
      if (isBehind(this.versions(), wanted))
        throw new NotSeen(`${told(this.versions())} are seen, and ${told(wanted)} due`);
    };
    const again = (): boolean => signal?.aborted !== true;
    try {
      await retry(attempt, { ...CATCH_UP, again, ...(signal ? { signal } : {}) });
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`This process does not know yet what was changed elsewhere: ${reason}`, { cause: error });
    }
  }

  /** Waits until every process that is alive has seen `versions` (all that this one has), but not for long. */
  async seenByAll(versions: SeenVersions = this.versions()): Promise<void> {
    if (!this.documents.shared) return;
    const attempt = async (): Promise<void> => {
      const others = await this.peers.exchange(this.versions());
      if (others.some((seen) => isBehind(seen, versions))) throw new NotSeen('Another process is behind');
    };
    const again = (error: unknown): boolean => error instanceof NotSeen;
    try {
      await retry(attempt, { ...SEEN_BY_ALL, again });
    } catch (error) {
      // By then each has looked into the documents by itself.
      if (error instanceof ApiError) await sleep(UNHEARD_MS);
      else if (error instanceof NotSeen)
        this.logger.warn('Another process has not seen a change within a second: it hangs, or was killed');
      else throw error;
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.refreshing.stop(), this.listening.stop()]);
    if (this.documents.shared) await this.peers.leave().catch(() => undefined);
  }

  private async refreshWhereDue(): Promise<void> {
    const now = performance.now();
    const isIdle = now - this.usedAt > IDLE_AFTER_MS && now - this.heardAt < HEARD_MS;
    if (isIdle) this.resting = true;
    if (isIdle && now - this.refreshedAt < IDLE_REFRESH_MS) return;
    try {
      await this.refreshes.run();
    } finally {
      if (!isIdle) this.resting = false;
    }
  }

  private async wake(): Promise<void> {
    const refreshed = this.refresh().then(() => void (this.resting = false));
    await within(WAKES_WITHIN_MS, refreshed).catch(() => undefined);
    this.waking = undefined;
  }

  private async refreshAll(): Promise<void> {
    const begun = performance.now();
    await Promise.all(Array.from(this.caches.values(), (cache) => cache.refresh()));
    this.refreshedAt = begun;
  }

  /** Best effort: what can't be said is found out by the refreshes. */
  private async join(): Promise<void> {
    if (this.documents.shared) await this.peers.exchange(this.versions()).catch(() => undefined);
  }

  /** Reads at once what another process has seen and this one has not. */
  private async listen(): Promise<void> {
    const others = await this.peers.exchange(this.versions());
    this.heardAt = performance.now();
    if (!others.some((seen) => isBehind(this.versions(), seen))) return;
    await this.refresh();
    await this.peers.exchange(this.versions());
  }
}

const told = (versions: SeenVersions): string => JSON.stringify(versions);
