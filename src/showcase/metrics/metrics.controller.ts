import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answers, Refuses } from '../../http/openapi/answers';
import { openApiSchema } from '../../http/openapi/openapi-schema';
import { AdminAccess, AdminStore } from '../../stores/access/admin-access';
import type { Store } from '../../stores/store';
import { type LedgerReport, ledgerReport, metricsReply, type ShowcaseMetrics } from './reply-schemas';
import { LedgerCheck } from './ledger-check.service';
import { metricsCsv } from './metrics-csv';
import { type MetricsParameters, metricsParameters } from '../../stores/metrics-period';
import { ShowcaseMetricsService } from './showcase-metrics.service';

@ApiTags('admin: showcase')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/metrics/showcase')
export class ShowcaseMetricsController {
  constructor(
    private readonly metrics: ShowcaseMetricsService,
    private readonly ledger: LedgerCheck,
  ) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'Views, clicks, conversions, revenue and spend by campaign, product, placement and day' })
  @ApiResponse({
    status: 200,
    description: 'With format=csv as CSV, without the widgets',
    content: {
      'application/json': { schema: openApiSchema(metricsReply) },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  @Refuses('invalid_parameter')
  async show(
    @AdminStore() store: Store,
    @Query({ schema: metricsParameters }) parameters: MetricsParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShowcaseMetrics | string> {
    const metrics = await this.metrics.metrics(store, parameters);
    if (parameters.format === 'json') return metrics;
    void reply.type('text/csv; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="showcase-${metrics.from}-${metrics.to}.csv"`);
    return metricsCsv(metrics.rows);
  }

  @Post('check')
  @AdminAccess('relevance', { audited: false })
  @HttpCode(200)
  @ApiOperation({ summary: 'Adds up the ledger entry by entry and compares: rollups and spend differ nowhere' })
  @Answers(200, ledgerReport)
  check(@AdminStore() store: Store): Promise<LedgerReport> {
    return this.ledger.check(store);
  }
}
