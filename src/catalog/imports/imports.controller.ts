import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { StreamedBody } from '../../http/body-limit';
import { Answers, jobStarted, Refuses } from '../../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { CatalogImports } from './catalog-imports';
import { importQuery, type ImportQuery } from './import-options';

/** Whole feeds of products (docs/feeds.md). */
@ApiTags('admin: feeds')
@ApiParam({ name: 'apiKey' })
@AdminAccess('ops')
@Controller('admin/stores/:apiKey/imports')
export class ImportsController {
  constructor(private readonly imports: CatalogImports) {}

  @Post()
  @StreamedBody()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Import a feed of products',
    description:
      'The body is the feed: NDJSON, JSON, CSV, Google Merchant XML or TSV, as it is or as gzip or zip, of any content type; or ' +
      '`{ "url", "user"?, "password"? }`, from where it is fetched; with `upload` there is none. The `result` of the job counts ' +
      'what was accepted, unchanged, removed and rejected, and names the first 1,000 bad lines.',
  })
  @ApiConsumes('application/octet-stream', 'application/x-ndjson', 'text/csv', 'application/xml')
  @ApiBody({ schema: { type: 'string', format: 'binary', description: 'The feed' } })
  @Answers(202, jobStarted)
  @Refuses('invalid_body', 'invalid_parameter', 'unsupported_media_type', 'body_too_large', 'not_found', 'conflict')
  upload(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Query({ schema: importQuery }) query: ImportQuery,
    @Body() body: unknown,
  ): Promise<{ jobId: string }> {
    return this.imports.stage(store, body, { ...query, askedBy: adminName(admin) });
  }
}
