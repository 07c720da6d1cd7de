import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../../http/openapi/answers';
import { ApiError } from '../../shared/api-error';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { whichVersion } from '../templates/templates.controller';
import { TemplateTuner } from './template-tuner';
import { TunedTemplates } from './tuned-templates';
import { tuningBody } from './tuning-body';
import { tuningReport, type TuningReport } from './tuning-report';

/** Boost templates that are found by searching (docs/templates.md). */
@ApiTags('admin: ranking')
@ApiParam({ name: 'apiKey' })
@AdminAccess('relevance')
@Controller('admin/stores/:apiKey/templates')
export class TuningController {
  constructor(
    private readonly tuner: TemplateTuner,
    private readonly tuned: TunedTemplates,
  ) {}

  @Post('tune')
  @HttpCode(202)
  @ApiOperation({
    summary:
      'Searches for a template that orders the searches of a time better than what serves, and keeps the best as a version that does not serve',
  })
  @Answers(202, jobStarted)
  @Refuses('invalid_body')
  tune(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Body({ schema: tuningBody }) body: z.output<typeof tuningBody>,
  ): Promise<{ jobId: string }> {
    return this.tuner.request(store, body, adminName(admin));
  }

  @Get(':name/tuning')
  @ApiOperation({ summary: 'How a version was found that tuning made, and how well it does' })
  @Answers(200, tuningReport)
  @Refuses('not_found', 'invalid_parameter')
  async show(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Query({ schema: whichVersion }) { version }: z.output<typeof whichVersion>,
  ): Promise<TuningReport> {
    const report = await this.tuned.report(store, { name, version });
    if (report) return report;
    throw new ApiError('not_found', `This version of "${name}" was not made by tuning`);
  }
}
