import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type CsvColumn, csvOf } from '../../http/csv';
import { Refuses } from '../../http/openapi/answers';
import { openApiSchema } from '../../http/openapi/openapi-schema';
import { AdminAccess, AdminStore } from '../../stores/access/admin-access';
import { metricsParameters } from '../../stores/metrics-period';
import type { Store } from '../../stores/store';
import { type DayRow, type SearchMetrics, searchMetricsReply, type TermRow } from './reply-schemas';
import { SearchMetricsService } from './search-metrics.service';

const searchMetricsParameters = metricsParameters.safeExtend({
  by: z
    .enum(['day', 'query'], { error: 'must be one of: day, query' })
    .default('day')
    .meta({ description: 'The rows of a CSV.', example: 'query' }),
});
type SearchMetricsParameters = z.infer<typeof searchMetricsParameters>;

const COUNTS: readonly CsvColumn<Omit<DayRow, 'day'>>[] = [
  ['searches', ({ searches }) => searches],
  ['no_results', ({ noResults }) => noResults],
  ['no_result_rate', ({ noResultRate }) => noResultRate],
  ['clicks', ({ clicks }) => clicks],
  ['ctr', ({ ctr }) => ctr],
  ['carts', ({ carts }) => carts],
  ['orders', ({ orders }) => orders],
  ['revenue', ({ revenue }) => revenue],
  ['logged', ({ logged }) => logged],
];
const BY_DAY: readonly CsvColumn<DayRow>[] = [['day', ({ day }) => day], ...COUNTS];
const BY_QUERY: readonly CsvColumn<TermRow>[] = [['query', ({ query }) => query], ...COUNTS];

@ApiTags('admin: search')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/metrics/search')
export class SearchMetricsController {
  constructor(private readonly metrics: SearchMetricsService) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'Searches, what found nothing, clicks, carts, orders and revenue, by day and by query' })
  @ApiResponse({
    status: 200,
    description: 'With format=csv as CSV, a row for each day, with by=query for each query',
    content: {
      'application/json': { schema: openApiSchema(searchMetricsReply) },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  @Refuses('invalid_parameter')
  async show(
    @AdminStore() store: Store,
    @Query({ schema: searchMetricsParameters }) parameters: SearchMetricsParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SearchMetrics | string> {
    const { metrics, queries } = await this.metrics.count(store, parameters);
    if (parameters.format === 'json') return metrics;
    void reply.type('text/csv; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="search-${metrics.from}-${metrics.to}.csv"`);
    return parameters.by === 'query' ? csvOf(BY_QUERY, queries) : csvOf(BY_DAY, metrics.days);
  }
}
