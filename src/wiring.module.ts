import { Global, Module } from '@nestjs/common';
import { PendingEvents } from './behaviour/events/pending-events';
import { LearningOnCatalog } from './behaviour/learning/learning-on-catalog';
import { TrendSink } from './behaviour/learning/trend-sink';
import { CatalogListener } from './catalog/catalog-listener';
import { SearchEngine } from './engine/search-engine';
import { CatalogChanges } from './showcase/selection/catalog-changes';

/** Connects capabilities that don't know each other: new products -> behaviour, learning and showcase, learned trend -> search. */
@Global()
@Module({
  providers: [
    {
      provide: CatalogListener,
      inject: [PendingEvents, CatalogChanges, LearningOnCatalog],
      useFactory: (pending: PendingEvents, changes: CatalogChanges, learning: LearningOnCatalog): CatalogListener => ({
        productsArrived: async (store, productIds) => {
          changes.tell(store.id, productIds);
          learning.productsArrived(store.id, productIds.length);
          await pending.productsArrived(store.id, productIds);
        },
      }),
    },
    { provide: TrendSink, inject: [SearchEngine], useFactory: (engine: SearchEngine): TrendSink => engine },
  ],
  exports: [CatalogListener, TrendSink],
})
export class WiringModule {}
