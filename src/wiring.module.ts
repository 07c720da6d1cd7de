import { Global, Module } from '@nestjs/common';
import { BehaviourService } from './behaviour/behaviour.service';
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
      inject: [BehaviourService, CatalogChanges],
      useFactory: (behaviour: BehaviourService, changes: CatalogChanges): CatalogListener => ({
        productsArrived: async (store, productIds) => {
          changes.tell(store.id, productIds);
          await behaviour.productsArrived(store, productIds);
        },
      }),
    },
    { provide: TrendSink, inject: [SearchEngine], useFactory: (engine: SearchEngine): TrendSink => engine },
  ],
  exports: [CatalogListener, TrendSink],
})
export class WiringModule {}
