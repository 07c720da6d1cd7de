import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from './admin/admin.module';
import { BehaviourModule } from './behaviour/behaviour.module';
import { CatalogHealthModule } from './catalog/health/catalog-health.module';
import { CatalogModule } from './catalog/catalog.module';
import type { Clock } from './shared/clock';
import { ConfigModule } from './config/config.module';
import type { Settings } from './config/settings';
import { DemoModule } from './demo/demo.module';
import { DocumentsModule } from './documents/documents.module';
import type { EarlyStart } from './early-start';
import { HttpModule } from './http/http.module';
import { InspectionModule } from './inspection/inspection.module';
import { JobsModule } from './jobs/jobs.module';
import { OutboundModule } from './outbound/outbound.module';
import { RankingAdminModule } from './search/ranking-admin.module';
import { SearchModule } from './search/search.module';
import { ShowcaseModule } from './showcase/showcase.module';
import { StorageModule } from './storage/storage.module';
import { StoresModule } from './stores/stores.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { WiringModule } from './wiring.module';

/** The capabilities of the service. */
@Module({})
export class AppModule {
  static forRoot(options: { settings: Settings; clock?: Clock; started?: EarlyStart }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(options),
        StorageModule.forRoot({ storage: options.started?.storage }),
        DocumentsModule,
        JobsModule,
        OutboundModule,
        HttpModule,
        StoresModule,
        WebhooksModule,
        AdminModule,
        CatalogModule,
        CatalogHealthModule,
        InspectionModule,
        BehaviourModule,
        SearchModule.forRoot({ thread: options.started?.searchThread }),
        RankingAdminModule,
        ShowcaseModule,
        WiringModule,
        DemoModule,
      ],
    };
  }
}
