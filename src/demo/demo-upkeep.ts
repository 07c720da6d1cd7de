import { Injectable } from '@nestjs/common';
import { LearningService } from '../behaviour/learning/learning.service';
import { CatalogHealth } from '../catalog/health/catalog-health.service';
import type { Store } from '../stores/store';

/** What jobs make of a store's data by and by, at once: newcomers look at the demo store within its first minute. */
@Injectable()
export class DemoUpkeep {
  constructor(
    private readonly learning: LearningService,
    private readonly health: CatalogHealth,
  ) {}

  async run(store: Store): Promise<void> {
    // Popularity and what is bought together, from the orders just made.
    await this.learning.run(store.id);
    // The daily look has seen the store while it was empty.
    await this.health.run(store);
  }
}
