import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../http/openapi/answers';
import { AdminAccess, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, adminName } from '../stores/access/admin-tokens';
import { type ScheduleView, scheduleView } from './schedule-view';
import { SchedulesAdmin } from './schedules-admin.service';

/** What the service does again and again, for all stores. */
@ApiTags('admin: jobs')
@Controller('admin/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesAdmin) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'What the service does again and again, with the last job of each kind' })
  @Answers(200, z.object({ schedules: z.array(scheduleView) }))
  async list(): Promise<{ schedules: ScheduleView[] }> {
    return { schedules: await this.schedules.list() };
  }

  @Post(':kind/pause')
  @AdminAccess('ops')
  @HttpCode(200)
  @ApiOperation({ summary: 'Begins no more jobs of this kind by itself; one that waits or runs goes on' })
  @Answers(200, scheduleView)
  @Refuses('not_found')
  pause(@Param('kind') kind: string): Promise<ScheduleView> {
    return this.schedules.pause(kind);
  }

  @Post(':kind/resume')
  @AdminAccess('ops')
  @HttpCode(200)
  @ApiOperation({ summary: 'Begins jobs of this kind again, the next one when it is due' })
  @Answers(200, scheduleView)
  @Refuses('not_found')
  resume(@Param('kind') kind: string): Promise<ScheduleView> {
    return this.schedules.resume(kind);
  }

  @Post(':kind/run')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiOperation({ summary: 'Runs it now, paused or not; never beside one that runs' })
  @Answers(202, jobStarted)
  @Refuses('not_found')
  run(@CurrentAdmin() admin: Admin, @Param('kind') kind: string): Promise<{ jobId: string }> {
    return this.schedules.run(kind, adminName(admin));
  }
}
