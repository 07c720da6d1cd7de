import { Global, Module } from '@nestjs/common';
import { PendingEvents } from './behaviour/events/pending-events';
import { TrendSink } from './behaviour/learning/trend-sink';
import { CatalogListener } from './catalog/catalog-listener';
import { SearchEngine } from './engine/search-engine';
import { CatalogChanges } from './showcase/selection/catalog-changes';

/** Connects capabilities that don't know each other: new products -> behaviour and showcase, learned trend -> search. */
@Global()
@Module({
  providers: [
    {
      provide: CatalogListener,
      inject: [PendingEvents, CatalogChanges],
      useFactory: (pending: PendingEvents, changes: CatalogChanges): CatalogListener => ({
        productsArrived: async (store, productIds) => {
          changes.tell(store.id, productIds);
          await pending.productsArrived(store.id, productIds);
        },
      }),
    },
    { provide: TrendSink, inject: [SearchEngine], useFactory: (engine: SearchEngine): TrendSink => engine },
  ],
  exports: [CatalogListener, TrendSink],
})
export class WiringModule {}
