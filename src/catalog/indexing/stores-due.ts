import { Inject, Injectable } from '@nestjs/common';
import { IndexHealth } from '../../engine/index-health';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { UnindexedRecords } from '../records/unindexed-records';

/** Which stores' indices have to be looked at: found out of all at once, so that the others cost nothing. */
@Injectable()
export class StoresDue {
  constructor(
    @Inject(IndexHealth) private readonly health: IndexHealth,
    @Inject(UnindexedRecords) private readonly unindexed: UnindexedRecords,
    private readonly stores: StoresService,
  ) {}

  /** As `IndexHealth.onGrown`. */
  onGrown(tell: (store: Store) => void): void {
    this.health.onGrown((id) => {
      const store = this.stores.byId(id);
      if (store) tell(store);
    });
  }

  async look(): Promise<readonly Store[]> {
    const [indices, records] = await Promise.all([this.health.due(), this.unindexed.stores()]);
    if (indices === null || records === null) return this.stores.all();
    return this.stores.all().filter(({ id }) => indices.has(id) || records.has(id));
  }
}
