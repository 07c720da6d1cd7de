import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../../http/openapi/answers';
import { tuningBounds } from '../../ranking/tuning/tuned-numbers';
import { ApiError } from '../../shared/api-error';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { dayOrTime } from '../replay/replay.controller';
import { whichVersion } from '../templates/templates.controller';
import { TemplateTuner } from './template-tuner';
import { TunedTemplates } from './tuned-templates';
import { OBJECTIVES, tuningReport, type TuningReport } from './tuning-report';

const TRIALS = { usual: 1200, least: 20, most: 20_000 };

const tuningBody = z
  .strictObject({
    objective: z
      .enum(OBJECTIVES)
      .describe('ndcg: what was clicked, put into carts and ordered; revenue: what was paid for what was ordered'),
    bounds: tuningBounds
      .optional()
      .describe(
        'Path of a number of the template -> the lowest and the highest it may become, or null: as far as usual. What is not named stays as it is. Absent: the usual numbers',
      ),
    from: dayOrTime,
    to: dayOrTime.describe('Exclusive'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i, 'letters, digits, "-" and "_", up to 64')
      .default('tuned')
      .describe('The template that the candidate becomes a version of'),
    seed: z.int().min(0).max(2_147_483_647).default(1).describe('The same seed finds the same template'),
    budget: z.int().min(TRIALS.least).max(TRIALS.most).default(TRIALS.usual).describe('Templates that are tried'),
  })
  .refine(({ from, to }) => from < to, { path: ['from'], message: 'has to be before to' });

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
