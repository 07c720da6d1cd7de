import { Global, Module } from '@nestjs/common';
import { BehaviourService } from './behaviour/behaviour.service';
import { TrendSink } from './behaviour/learning/trend-sink';
import { CatalogListener } from './catalog/catalog-listener';
import { SearchEngine } from './search/engine/search-engine';

/** Where one capability tells another something without knowing it: new products -> behaviour, learned trend -> search. */
@Global()
@Module({
  providers: [
    {
      provide: CatalogListener,
      inject: [BehaviourService],
      useFactory: (behaviour: BehaviourService): CatalogListener => behaviour,
    },
    { provide: TrendSink, inject: [SearchEngine], useFactory: (engine: SearchEngine): TrendSink => engine },
  ],
  exports: [CatalogListener, TrendSink],
})
export class WiringModule {}
