import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../../http/openapi/answers';
import { ApiError } from '../../shared/api-error';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { whichVersion } from '../templates/templates.controller';
import { replayReport, type ReplayReport } from './replay-report';
import { replayBody } from './replay-schemas';
import { ReplayedTemplates } from './replayed-templates';
import { TemplateReplayer } from './template-replayer';

/** Boost templates on what shoppers did (docs/templates.md). */
@ApiTags('admin: ranking')
@ApiParam({ name: 'apiKey' })
@AdminAccess('relevance')
@Controller('admin/stores/:apiKey/templates/:name/replay')
export class ReplayController {
  constructor(
    private readonly replayer: TemplateReplayer,
    private readonly replayed: ReplayedTemplates,
  ) {}

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary:
      'Ranks the searches of a time again, with what serves and with this template, and compares both with what shoppers did',
  })
  @Answers(202, jobStarted)
  @Refuses('invalid_body', 'not_found')
  replay(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('name') name: string,
    @Body({ schema: replayBody }) body: z.output<typeof replayBody>,
  ): Promise<{ jobId: string }> {
    return this.replayer.request(store, name, { ...body, askedBy: adminName(admin) });
  }

  @Get()
  @ApiOperation({ summary: 'What the newest replay of a version found' })
  @Answers(200, replayReport)
  @Refuses('not_found', 'invalid_parameter')
  async show(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Query({ schema: whichVersion }) query: z.output<typeof whichVersion>,
  ): Promise<ReplayReport> {
    const version = await this.replayed.version(store, name, query.version);
    const report = await this.replayed.report(store, name, version);
    if (report) return report;
    throw new ApiError('not_found', `Version ${version} of "${name}" has not been replayed`);
  }
}
