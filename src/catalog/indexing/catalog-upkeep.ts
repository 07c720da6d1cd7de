import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../jobs/job-queue';
import { SearchEngine } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import { StoreErasure } from '../../stores/store-erasure';
import { CatalogRecords } from '../records/catalog-records';
import { RECORDS_OF_A_PAGE, recordPages } from '../records/record-pages';
import { Reindexing } from '../reindexing/reindexing';
import { recordVersion } from '../product/channel-view';
import { CatalogWriter, stackOf } from './catalog-writer';
import { StoresDue } from './stores-due';

const CATCH_UP = 'catalog.catch-up';
/** Milliseconds. In production the process that left products unindexed may never start again. */
const CATCH_UP_EVERY = 60_000;
/** A store that has so many times the products of a look before is being fed. */
const FED = 1.1;
/** Keeps the indices true to the records after a crash between the two writes, and has those made anew that are gone, outdated or too large for their place. */
@Injectable()
export class CatalogUpkeep implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Catalog');
  /** Products of stores that have grown, as of the last look. */
  private readonly grown = new Map<string, number>();
  /** Stores whose trouble has been told. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly writer: CatalogWriter,
    private readonly reindexing: Reindexing,
    private readonly jobs: JobQueue,
    private readonly due: StoresDue,
    private readonly erasure: StoreErasure,
  ) {}

  onModuleInit(): void {
    this.jobs.process(CATCH_UP, () => this.catchUpAll());
    // A job costs more requests than a look.
    this.jobs.every(CATCH_UP, CATCH_UP_EVERY, async () => (await this.due.look()).length > 0);
    this.due.onGrown((store) => void this.move(store));
    this.erasure.add('catalog', (store) => this.records.removeStore(store));
  }

  /** Indexes what was recorded and not indexed when the process died. */
  async onApplicationBootstrap(): Promise<void> {
    await this.catchUpAll();
  }

  private async catchUpAll(): Promise<{ products: number }> {
    let products = 0;
    for (const store of await this.dueOrSay()) products += await this.catchUpOrSay(store);
    return { products };
  }

  private async dueOrSay(): Promise<readonly Store[]> {
    try {
      return await this.due.look();
    } catch (error) {
      // The next look is a minute from now.
      this.logger.error('Which indices there is work with could not be found out', stackOf(error));
      return [];
    }
  }

  /** A store whose index can't be read or written is the trouble of that store alone. */
  private async catchUpOrSay(store: Store): Promise<number> {
    try {
      const { version, documents, outdated, gone = false, grown = false } = await this.engine.status(store.id);
      await this.engine.before.removeOld(store.id);
      const isToBeMoved = grown && this.isStill(store, documents);
      if (!grown) this.grown.delete(store.id);
      if (outdated || gone) await this.reindexing.renew(store);
      else if (isToBeMoved) await this.reindexing.renew(store, { grown });
      // What is gone has taken no version with it that could be caught up with.
      const done = gone ? 0 : await this.catchUp(store, version);
      if (done > 0) this.logger.log(`Indexed ${done} products of "${store.apiKey}" that were recorded and not indexed`);
      this.failing.delete(store.id);
      return done;
    } catch (error) {
      if (!this.failing.has(store.id)) this.logger.error(`The index of "${store.apiKey}" is not kept`, stackOf(error));
      this.failing.add(store.id);
      return 0;
    }
  }

  /** A feed is let end before its store is moved: each would hold the other up. Whichever process takes it in, it shows in the number of products. */
  private isStill(store: Store, products: number): boolean {
    const before = this.grown.get(store.id);
    this.grown.set(store.id, products);
    return before !== undefined && products < FED * before;
  }

  private async move(store: Store): Promise<void> {
    try {
      await this.reindexing.renew(store, { grown: true });
    } catch (error) {
      // It is asked for again after some more products, and by the next look.
      if (!this.failing.has(store.id))
        this.logger.error(`"${store.apiKey}" could not be moved at once`, stackOf(error));
      this.failing.add(store.id);
    }
  }

  private async catchUp(store: Store, version: number): Promise<number> {
    const newer: { id: string; version: number }[] = [];
    for await (const page of recordPages(this.records, store.id, version)) {
      newer.push(...page.map((record) => ({ id: record.productId, version: recordVersion(record) })));
    }
    // In the order of versions: a process that dies on the way once more leaves nothing out either.
    newer.sort((a, b) => a.version - b.version);
    for (let from = 0; from < newer.length; from += RECORDS_OF_A_PAGE) {
      const ids = newer.slice(from, from + RECORDS_OF_A_PAGE).map(({ id }) => id);
      await this.writer.rewrite(store, ids);
    }
    return newer.length;
  }
}
