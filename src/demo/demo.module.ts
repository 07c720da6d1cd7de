import { Module } from '@nestjs/common';
import { CatalogHealthModule } from '../catalog/health/catalog-health.module';
import { DemoAddress } from './demo-address';
import { DemoApiController } from './demo-api.controller';
import { DemoController } from './demo.controller';
import { DemoExplanations } from './demo-explanations';
import { DemoShop } from './demo-shop';
import { DemoUpkeep } from './demo-upkeep';
import { DemoWorld } from './demo-world';
import { DemoService } from './demo.service';

/** The demo shop. Needs CatalogModule, BehaviourModule, SearchModule, ShowcaseModule, StoresModule, JobsModule, DocumentsModule, Settings and Clock. */
@Module({
  imports: [CatalogHealthModule],
  controllers: [DemoController, DemoApiController],
  providers: [DemoService, DemoAddress, DemoUpkeep, DemoWorld, DemoShop, DemoExplanations],
  exports: [DemoService],
})
export class DemoModule {}
