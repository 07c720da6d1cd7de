import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module';
import { AuditController } from './audit.controller';
import { JobsAdmin } from './jobs-admin.service';
import { JobsController } from './jobs.controller';
import { StoreAdmin } from './store-admin.service';
import { StoresController } from './stores.controller';

/** The admin routes that belong to no capability: stores, jobs, the audit list. */
@Module({
  imports: [JobsModule],
  controllers: [StoresController, JobsController, AuditController],
  providers: [StoreAdmin, JobsAdmin],
})
export class AdminModule {}
