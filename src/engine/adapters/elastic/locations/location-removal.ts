import { Logger } from '@nestjs/common';
import { Mutex } from '../../../../shared/async/mutex';
import { SingleFlight } from '../../../../shared/async/single-flight';
import type { ProductIndices } from '../mapping/product-indices';
import type { Locations } from './location-directory';
import { isInUse, type StoredLocation, withoutLeft } from './location-record';
import type { Pools } from './pools';

interface RemovalParts {
  directory: Pick<Locations, 'read' | 'change'>;
  own: Pick<ProductIndices, 'remove'>;
  pools: Pick<Pools, 'remove'>;
}

/** Deletes the places that stores have left: one after the other, for nobody waits for it, and everybody else works in the same pools. */
export class LocationRemoval {
  private readonly turns = new Mutex();
  private readonly waiting = new SingleFlight<void>();
  private readonly logger = new Logger('Search');
  /** Whether the trouble has been told. */
  private isFailing = false;

  constructor(private readonly parts: RemovalParts) {}

  /** Returns at once. What can't be deleted now stays noted, and whoever looks next begins again. */
  begin(store: string, locations: readonly StoredLocation[]): void {
    for (const location of locations) {
      const remove = (): Promise<void> => this.turns.run(() => this.remove(store, location));
      this.waiting.run(`${store} ${JSON.stringify(location)}`, remove).then(
        () => (this.isFailing = false),
        (error: unknown) => this.say(error),
      );
    }
  }

  private say(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.isFailing) this.logger.warn(`Products that a store has left behind are not deleted yet: ${why}`);
    this.isFailing = true;
  }

  private async remove(store: string, location: StoredLocation): Promise<void> {
    const { directory, own, pools } = this.parts;
    // While it waited for its turn, the store may have come back, or another process have deleted the place.
    const record = await directory.read(store, 0);
    if (!record || withoutLeft(record, [location]).leaving.length === record.leaving.length) return;
    if (!isInUse(record, location)) {
      if (location === 'own') await own.remove(store);
      else await pools.remove(location);
    }
    await directory.change(store, (found) => withoutLeft(found, [location]));
  }
}
