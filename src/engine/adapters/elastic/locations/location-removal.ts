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
  /** What could not be deleted when it was tried last, which was told. */
  private readonly failing = new Set<string>();

  constructor(private readonly parts: RemovalParts) {}

  /** Returns at once. What can't be deleted now stays noted, and whoever looks next begins again. */
  begin(store: string, locations: readonly StoredLocation[]): void {
    for (const location of locations) {
      const remove = (): Promise<void> => this.turns.run(() => this.remove(store, location));
      const key = `${store} ${JSON.stringify(location)}`;
      this.waiting.run(key, remove).then(
        () => this.failing.delete(key),
        (error: unknown) => this.say(key, error),
      );
    }
  }

  private say(key: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    if (!this.failing.has(key)) this.logger.warn(`What a store has left behind is not deleted yet (${key}): ${why}`);
    this.failing.add(key);
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
