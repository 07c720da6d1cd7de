import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Answers, jobStarted } from '../http/openapi/answers';
import { AdminAccess, AdminStore } from '../stores/access/admin-access';
import type { Store } from '../stores/store';
import { CatalogUpkeep } from './indexing/catalog-upkeep';

/** Work on a store's whole catalog, for ops. */
@ApiTags('admin')
@Controller('admin/stores/:apiKey')
@AdminAccess('ops')
export class CatalogAdminController {
  constructor(private readonly upkeep: CatalogUpkeep) {}

  /** Rewrites every index entry from the records; searches go on meanwhile. */
  @Post('reindex')
  @HttpCode(202)
  @ApiOperation({ summary: 'Index the whole catalog again' })
  @ApiParam({ name: 'apiKey' })
  @Answers(202, jobStarted)
  reindex(@AdminStore() store: Store): Promise<{ jobId: string }> {
    return this.upkeep.reindex(store);
  }
}
