import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { Answers, Refuses } from '../../http/openapi/answers';
import { openApiSchema } from '../../http/openapi/openapi-schema';
import { validate } from '../../http/validation';
import { ApiError } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import { type ExperimentBody, experimentSchema } from '../../stores/experiments/experiment';
import { Experiments } from '../../stores/experiments/experiments.service';
import type { Store } from '../../stores/store';
import { named } from '../templates/sent-template';
import { ExperimentReports } from './experiment-reports';
import { type ResultsReply, resultsReply } from './results-reply';
import { experimentList, type ExperimentView, experimentView, viewOfExperiment } from './experiment-replies';

/** Experiments over boost templates: who is ranked with what, and what came of it (docs/experiments.md). */
@ApiTags('admin: ranking')
@ApiParam({ name: 'apiKey' })
@AdminAccess('relevance')
@Controller('admin/stores/:apiKey/experiments')
export class ExperimentsController {
  constructor(
    private readonly experiments: Experiments,
    private readonly reports: ExperimentReports,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: "A store's experiments, ended ones too" })
  @Answers(200, experimentList)
  list(@AdminStore() store: Store): z.output<typeof experimentList> {
    const now = this.clock.now();
    return { experiments: this.experiments.list(store.id).map((one) => viewOfExperiment(one, now)) };
  }

  @Get(':name')
  @ApiOperation({ summary: 'One experiment' })
  @Answers(200, experimentView)
  @Refuses('not_found')
  show(@AdminStore() store: Store, @Param('name') name: string): ExperimentView {
    return viewOfExperiment(this.experiments.get(store.id, name), this.clock.now());
  }

  @Get(':name/results')
  @ApiOperation({
    summary: 'What came of an experiment, by variant, control and holdout',
    description: 'By shopper, not by search, with 95% intervals of the difference to the control (docs/experiments.md)',
  })
  @Answers(200, resultsReply)
  @Refuses('not_found')
  results(@AdminStore() store: Store, @Param('name') name: string): Promise<ResultsReply> {
    return this.reports.of(store, this.experiments.get(store.id, name));
  }

  @Put(':name')
  @ApiOperation({
    summary: 'Makes or replaces an experiment; it acts on every replica within a second, or from `from` on',
    description:
      'What no variant has gets the template that serves. Of the experiments of a store one acts at any time.',
  })
  @ApiBody({ schema: openApiSchema(experimentSchema) })
  @Answers(200, experimentView)
  @Refuses('invalid_body', 'conflict')
  async put(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('name') name: string,
    @Body() body: unknown,
  ): Promise<ExperimentView> {
    const experiment = await this.experiments.put(store.id, name, sentExperiment(name, body), adminName(admin));
    return viewOfExperiment(experiment, this.clock.now());
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ summary: 'Takes an experiment away: everybody gets the template that serves' })
  @Answers(204, null)
  @Refuses('not_found')
  async remove(@AdminStore() store: Store, @Param('name') name: string): Promise<void> {
    await this.experiments.remove(store.id, name);
  }
}

/** An experiment as a body says it; the address names it. Throws 400 with the path of each mistake. */
function sentExperiment(name: string, sent: unknown): ExperimentBody {
  const body = validate(experimentSchema, named(name, sent), 'body');
  if (body.name === name) return body;
  const message = `The body is of experiment "${body.name}", and the address of "${name}"`;
  throw new ApiError('invalid_body', message, { details: [{ path: 'name', message }] });
}
