import type { Clock } from '../../../shared/clock';
import type { EmbeddedDatabase } from '../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../storage/sqlite/writer-commands';
import { IndexBefore } from '../../index-before';
import type { commands } from './index/engine.commands';
import { goneIndices } from './index/index-versions';
import type { SearchThread } from './thread/search-thread';

/** The index before, in tables beside those of the one that serves, and in the memory of the search thread. */
export class EmbeddedIndexBefore extends IndexBefore {
  private readonly call: Calls<typeof commands>;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly thread: SearchThread,
    private readonly clock: Clock,
  ) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  /** The rows of the other one are removed by upkeep: whoever asked does not wait for it. */
  override serveAgain(store: string): Promise<boolean> {
    return this.call('engine.rollBack', { store, now: this.clock.now() });
  }

  /** In parts, so that no write waits for it. */
  override async removeOld(store: string): Promise<void> {
    await this.call('engine.expire', this.clock.now());
    for (const index of goneIndices(this.database.reader)) {
      while (!(await this.call('engine.removeStore', { store: index }))) continue;
      this.thread.ask({ kind: 'refresh', store, index }, { patient: true }).catch(() => undefined);
    }
  }
}
