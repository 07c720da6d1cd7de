import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Documents } from '../documents/documents';
import { ApiError } from '../shared/api-error';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { DEMO_API_KEY } from './demo-world';

/** How the demo shop is turned on: what its pages and routes say where it is not there. */
const TURN_ON = 'start the service with DEMO=on and an empty DATA_DIR';

/** The demo store, for those who may look into it because it is made up. */
@Injectable()
export class DemoShop {
  /** Of the store that was seen to be filled. */
  private filled: string | undefined;

  constructor(
    private readonly stores: StoresService,
    private readonly documents: Documents,
    private readonly settings: Settings,
  ) {}

  /** Throws as `find`, and `unavailable` while it is being made. */
  async open(): Promise<Store> {
    const store = await this.find();
    if (!store) throw new ApiError('unavailable', 'The demo shop is being made', { retryAfter: 1 });
    return store;
  }

  /**
   * Null while it is being made. Throws `not_found` where the demo is off or the service has other stores. A store called `demo` that somebody
   * made by hand is theirs, and never found.
   */
  async find(): Promise<Store | null> {
    const store = this.settings.demo ? this.stores.byApiKey(DEMO_API_KEY) : undefined;
    if (!store) throw new ApiError('not_found', `There is no demo shop here: ${TURN_ON}`);
    if (this.filled !== store.id) {
      if (!(await this.documents.get({ store: store.id, kind: 'demo', id: 'filled' }))) return null;
      this.filled = store.id;
    }
    return store;
  }
}
