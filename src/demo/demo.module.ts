import { Module } from '@nestjs/common';
import { DemoController } from './demo.controller';
import { DemoWorld } from './demo-world';
import { DemoService } from './demo.service';

/** The demo shop. Needs CatalogModule, BehaviourModule, ShowcaseModule, StoresModule, JobsModule, DocumentsModule, Settings and Clock. */
@Module({
  controllers: [DemoController],
  providers: [DemoService, DemoWorld],
  exports: [DemoService],
})
export class DemoModule {}
