import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { CatalogHealth } from './catalog-health.service';
import { type HealthQuery, healthQuery, type HealthView, healthView } from './health-schemas';
import { type ProblemView, problemView } from './health-schemas';

@ApiTags('admin')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/catalog/health')
export class CatalogHealthController {
  constructor(private readonly health: CatalogHealth) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({
    summary: 'Products by state, and by what keeps them from being found',
    description:
      'As of the last daily look, with samples. With `problem`: the products that have it, 100 at a time, the first 1,000 of them',
  })
  @Answers(200, z.union([healthView, problemView]))
  @Refuses('invalid_parameter')
  show(
    @AdminStore() store: Store,
    @Query({ schema: healthQuery }) { problem, after }: HealthQuery,
  ): Promise<HealthView | ProblemView> {
    return problem === undefined ? this.health.view(store) : this.health.page(store, problem, after);
  }

  @Post('run')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiOperation({ summary: 'Look at the catalog now, not only once a day' })
  @Answers(202, jobStarted)
  run(@AdminStore() store: Store, @CurrentAdmin() admin: Admin): Promise<{ jobId: string }> {
    return this.health.run(store, adminName(admin));
  }
}
