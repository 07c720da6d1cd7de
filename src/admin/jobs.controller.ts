import { type CanActivate, Controller, type ExecutionContext, Get, HttpCode, Injectable } from '@nestjs/common';
import { type MessageEvent, Param, Post, Query, Req, Sse, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { Answers, AnswersAs, Refuses } from '../http/openapi/answers';
import { AdminAccess, CurrentAdmin } from '../stores/access/admin-access';
import type { AdminRequest } from '../stores/access/admin-access.guard';
import type { Admin } from '../stores/access/admin-tokens';
import { StillAdmitted } from '../stores/access/still-admitted';
import { type JobListQuery, jobListSchema, JobsAdmin, type JobView, jobView } from './jobs-admin.service';

/** Refuses a job that the caller may not see before the stream of events begins, because from then on the status is 200. */
@Injectable()
class JobWatchGuard implements CanActivate {
  constructor(private readonly jobs: JobsAdmin) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { admin, params } = context.switchToHttp().getRequest<AdminRequest>();
    if (!admin) throw new Error('JobWatchGuard needs AdminAccess before it');
    await this.jobs.show(admin, (params as { id: string }).id);
    return true;
  }
}

@ApiTags('admin: jobs')
@Controller('admin/jobs')
export class JobsController {
  constructor(
    private readonly jobs: JobsAdmin,
    private readonly admitted: StillAdmitted,
  ) {}

  @Get()
  @AdminAccess('relevance', { boundToo: true })
  @ApiOperation({
    summary: 'Jobs, newest first',
    description: 'Page by page: `after` is the id of the last job of the page before',
  })
  @Answers(200, z.object({ jobs: z.array(jobView) }))
  @Refuses('invalid_parameter', 'not_found')
  list(
    @CurrentAdmin() admin: Admin,
    @Query({ schema: jobListSchema }) query: JobListQuery,
  ): Promise<{ jobs: JobView[] }> {
    return this.jobs.list(admin, query);
  }

  @Get(':id')
  @AdminAccess('relevance', { boundToo: true })
  @ApiOperation({ summary: 'One job' })
  @Answers(200, jobView)
  @Refuses('not_found')
  show(@CurrentAdmin() admin: Admin, @Param('id') id: string): Promise<JobView> {
    return this.jobs.show(admin, id);
  }

  // Guards run from the lowest decorator up.
  @Sse(':id/events')
  @UseGuards(JobWatchGuard)
  @AdminAccess('relevance', { boundToo: true })
  @ApiOperation({ summary: 'The job now and after every change, as server-sent events, until it has ended' })
  @AnswersAs('text/event-stream', '`job` for each change and `end`, their data the job; `heartbeat` every 15 seconds')
  @Refuses('not_found')
  watch(
    @CurrentAdmin() admin: Admin,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Observable<MessageEvent> {
    return this.jobs.watch(admin, id, () => this.admitted.check(request));
  }

  @Post(':id/cancel')
  @AdminAccess('ops', { boundToo: true })
  @HttpCode(200)
  @ApiOperation({ summary: 'A waiting job never runs, an active one stops' })
  @Answers(200, jobView)
  @Refuses('not_found')
  cancel(@CurrentAdmin() admin: Admin, @Param('id') id: string): Promise<JobView> {
    return this.jobs.control(admin, id, 'cancel');
  }

  @Post(':id/retry')
  @AdminAccess('ops', { boundToo: true })
  @HttpCode(200)
  @ApiOperation({ summary: 'A failed or cancelled job waits again' })
  @Answers(200, jobView)
  @Refuses('not_found')
  retry(@CurrentAdmin() admin: Admin, @Param('id') id: string): Promise<JobView> {
    return this.jobs.control(admin, id, 'retry');
  }
}
