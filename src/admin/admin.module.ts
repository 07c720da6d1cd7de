import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module';
import { AuditController } from './audit.controller';
import { ConsoleController } from './console.controller';
import { JobsAdmin } from './jobs-admin.service';
import { JobsController } from './jobs.controller';
import { SchedulesAdmin } from './schedules-admin.service';
import { SchedulesController } from './schedules.controller';
import { StoreAdmin } from './store-admin.service';
import { StoresController } from './stores.controller';

/** The admin routes that belong to no capability: stores, jobs, the audit list. */
@Module({
  imports: [JobsModule],
  controllers: [StoresController, JobsController, SchedulesController, AuditController, ConsoleController],
  providers: [StoreAdmin, JobsAdmin, SchedulesAdmin],
})
export class AdminModule {}
