import { Injectable } from '@nestjs/common';
import { LearningService } from '../behaviour/learning/learning.service';
import { Documents } from '../documents/documents';
import { CampaignsService } from '../showcase/campaigns/campaigns.service';
import type { Store } from '../stores/store';
import { demoCampaigns } from './demo-campaigns';
import type { DemoProduct } from './demo-catalog';

/** What a shop makes of its catalog and its orders. */
@Injectable()
export class DemoBusiness {
  constructor(
    private readonly learning: LearningService,
    private readonly campaigns: CampaignsService,
    private readonly documents: Documents,
  ) {}

  /** Popularity and what is bought together. */
  async learn(store: Store): Promise<void> {
    await this.learning.run(store.id);
  }

  /** Made once: those that somebody has taken away since stay away. */
  async advertise(store: Store, products: () => readonly DemoProduct[]): Promise<void> {
    const done = { store: store.id, kind: 'demo', id: 'campaigns' };
    if (await this.documents.get(done)) return;
    for (const campaign of demoCampaigns(products())) await this.campaigns.put(store, campaign);
    await this.documents.put([{ ...done, body: null }]);
  }
}
