import { Module } from '@nestjs/common';
import { InspectionAdminController } from './inspection-admin.controller';
import { InspectionController } from './inspection.controller';
import { InspectionService } from './inspection.service';
import { InspectionTokens } from './inspection-tokens';

/** What a store sent, shown to its developers. Needs CatalogRecords, CatalogWriter, SearchEngine, StoresService, Secrets and Clock. */
@Module({
  controllers: [InspectionController, InspectionAdminController],
  providers: [InspectionService, InspectionTokens],
})
export class InspectionModule {}
