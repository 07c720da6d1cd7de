import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { lowerCased } from '../http/fields';
import { Answers, jobStarted, Refuses } from '../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, adminName } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { Reindexing } from './reindexing/reindexing';

const reindexSchema = z.object({
  force: z
    .preprocess(lowerCased, z.enum(['true', 'false']).default('false'))
    .meta({ description: 'true: what is found may differ from before.', example: 'true' }),
});

/** Work on a store's whole catalog, for ops. */
@ApiTags('admin')
@Controller('admin/stores/:apiKey')
@AdminAccess('ops')
export class CatalogAdminController {
  constructor(private readonly reindexing: Reindexing) {}

  /** Makes a new index from the records; searches go on meanwhile. */
  @Post('reindex')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Index the whole catalog again',
    description:
      'A new index beside the one that serves, checked before it does: how many products each sales channel has, and whether what shoppers search for is found again. ' +
      'A check that fails leaves the old one serving, and the job `failed` with what it found. `force`: what is found may differ from before.',
  })
  @ApiParam({ name: 'apiKey' })
  @Answers(202, jobStarted)
  @Refuses('invalid_parameter')
  reindex(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Query({ schema: reindexSchema }) { force }: z.infer<typeof reindexSchema>,
  ): Promise<{ jobId: string }> {
    return this.reindexing.ask(store, { force: force === 'true', askedBy: adminName(admin) });
  }

  @Post('reindex/rollback')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The index before serves again, at once',
    description: 'It has everything that was written since. It is kept for 24 hours after a reindex; 409 where none is',
  })
  @ApiParam({ name: 'apiKey' })
  @Answers(200, z.object({ products: z.int() }))
  @Refuses('conflict')
  rollBack(@AdminStore() store: Store): Promise<{ products: number }> {
    return this.reindexing.rollBack(store);
  }
}
