import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { AdminRequest } from '../stores/access/admin-access.guard';
import { JobsAdmin } from './jobs-admin.service';

/** Refuses a job that the caller may not see before the stream of events begins, because from then on the status is 200. */
@Injectable()
export class JobWatchGuard implements CanActivate {
  constructor(private readonly jobs: JobsAdmin) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { admin, params } = context.switchToHttp().getRequest<AdminRequest>();
    if (!admin) throw new Error('JobWatchGuard needs AdminAccess before it');
    await this.jobs.show(admin, (params as { id: string }).id);
    return true;
  }
}
