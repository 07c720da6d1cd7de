import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Clock } from '../shared/clock';
import { RateLimiter } from '../stores/access/rate-limiter';
import { InspectionController } from './inspection.controller';
import { InspectionService } from './inspection.service';
import { throttlerOptions } from './inspection-throttle';
import { InspectionTokens } from './inspection-tokens';

/** What a store sent, shown to its developers. Needs CatalogRecords, IndexTimes, SearchEngine, StoresService, Secrets and Clock. */
@Module({
  imports: [ThrottlerModule.forRootAsync({ inject: [RateLimiter, Clock], useFactory: throttlerOptions })],
  controllers: [InspectionController],
  providers: [InspectionService, InspectionTokens],
})
export class InspectionModule {}
