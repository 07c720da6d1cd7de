import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DocumentConflict, Documents, type PutDocument } from './documents';

/** Milliseconds between looks: what one replica changes holds on all within a second. */
const LOOK_EVERY = 400;
/** Changes in a row that another process came before. */
const TRIES = 10;
/** Longest wait after the first of them, milliseconds. */
const PAUSE = 10;

const keyOf = (topic: string) => ({ store: '*', kind: 'changes', id: topic });

/**
 * What a process holds in memory of documents that other processes change, too. Each topic has a document that is
 * written with every change, so one look tells whether anything is new. Where nobody else writes it costs nothing.
 */
export class SharedCache {
  private version = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly documents: Documents,
    private readonly topic: string,
    private readonly reload: () => Promise<void>,
  ) {}

  /** Reads everything for the first time. */
  async open(): Promise<void> {
    if (!(await this.look())) await this.reload();
  }

  /** Reads everything again where it has changed elsewhere; whether it had. */
  look(): Promise<boolean> {
    return this.alone(async () => {
      if (!this.documents.shared) return false;
      const version = (await this.documents.get(keyOf(this.topic)))?.version ?? 0;
      if (version === this.version) return false;
      await this.reload();
      this.version = version;
      return true;
    });
  }

  /** Puts the documents of a change. Throws DocumentConflict where what was decided on is not the newest any more. */
  put(documents: PutDocument[]): Promise<number[]> {
    return this.alone(async () => {
      if (!this.documents.shared) return this.documents.put(documents);
      const mark = { ...keyOf(this.topic), body: null, expectedVersion: this.version };
      const versions = await this.documents.put([...documents, mark]);
      this.version = versions.pop() ?? 0;
      return versions;
    });
  }

  /** Says that something has changed, whatever others have changed meanwhile. */
  mark(): Promise<void> {
    return this.alone(async () => {
      if (!this.documents.shared) return;
      const [version = 0] = await this.documents.put([{ ...keyOf(this.topic), body: null }]);
      // Otherwise the next look finds what else there is.
      if (version === this.version + 1) this.version = version;
    });
  }

  /** Runs a change on what is newest, again where another process came before it. */
  async undisturbed<T>(change: () => Promise<T>): Promise<T> {
    await this.look();
    for (let tried = 1; ; tried += 1) {
      try {
        return await change();
      } catch (error) {
        if (!(error instanceof DocumentConflict) || !this.documents.shared || tried === TRIES) throw error;
      }
      // Nothing new: another look has taken it in since then, or the other change is not whole yet.
      if (!(await this.look())) await new Promise((done) => setTimeout(done, Math.random() * PAUSE * tried));
    }
  }

  /** What is read before a change of ours must not be taken in after it. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** Looks after all topics. */
@Injectable()
export class CacheInvalidation implements OnModuleDestroy {
  private readonly logger = new Logger('SharedChanges');
  private readonly topics: SharedCache[] = [];
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private failing = false;

  constructor(private readonly documents: Documents) {}

  /** `reload` is called by `open`, and from then on whenever another process has changed something. */
  topic(name: string, reload: () => Promise<void>): SharedCache {
    const topic = new SharedCache(this.documents, name, reload);
    this.topics.push(topic);
    if (this.documents.shared) this.timer ??= setInterval(() => void this.look(), LOOK_EVERY).unref();
    return topic;
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** What is known is gone on with while nobody answers. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await Promise.all(this.topics.map((topic) => topic.look()));
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`Changes made elsewhere are not seen at the moment: ${String(error)}`);
      this.failing = true;
    } finally {
      this.looking = false;
    }
  }
}
