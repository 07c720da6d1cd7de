import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { StreamedBody } from '../../../http/body-limit';
import { Answers, Refuses } from '../../../http/openapi/answers';
import { AdminAccess, AdminStore } from '../../../stores/access/admin-access';
import type { Store } from '../../../stores/store';
import { type NewUpload, newUpload, type PieceQuery, pieceQuery, type UploadView, uploadView } from './upload-schemas';
import { Uploads } from './uploads';

/** Feeds that come in pieces, so that a broken connection costs one of them (docs/feeds.md). */
@ApiTags('admin: feeds')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/uploads')
export class UploadsController {
  constructor(private readonly uploads: Uploads) {}

  @Post()
  @AdminAccess('ops')
  @HttpCode(201)
  @ApiOperation({
    summary: 'Begin an upload in pieces',
    description:
      'Then `PUT .../uploads/<id>?from=<bytes>` for each piece, and `POST .../imports?upload=<id>` without a body',
  })
  @Answers(201, uploadView)
  @Refuses('invalid_body', 'conflict')
  begin(@AdminStore() store: Store, @Body({ schema: newUpload }) body: NewUpload): Promise<UploadView> {
    return this.uploads.begin(store, body);
  }

  @Get()
  @AdminAccess('ops')
  @ApiOperation({ summary: 'The uploads of a store that are kept' })
  @Answers(200, z.object({ uploads: z.array(uploadView) }))
  async list(@AdminStore() store: Store): Promise<{ uploads: UploadView[] }> {
    return { uploads: await this.uploads.list(store) };
  }

  @Get(':id')
  @AdminAccess('ops')
  @ApiParam({ name: 'id' })
  @ApiOperation({ summary: 'An upload; `bytes` is where to go on' })
  @Answers(200, uploadView)
  @Refuses('not_found')
  show(@AdminStore() store: Store, @Param('id') id: string): Promise<UploadView> {
    return this.uploads.show(store, id);
  }

  // Not audited piece by piece: the beginning and the import are.
  @Put(':id')
  @StreamedBody()
  @AdminAccess('ops', { audited: false })
  @ApiParam({ name: 'id' })
  @ApiOperation({
    summary: 'Add the next piece',
    description:
      'Durable when it is answered. One that breaks off leaves nothing: send it again. 409 where `from` is not how many bytes were taken so far',
  })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary', description: 'Bytes of the feed, as they are' } })
  @Answers(200, uploadView)
  @Refuses('invalid_body', 'invalid_parameter', 'unsupported_media_type', 'body_too_large', 'not_found', 'conflict')
  add(
    @AdminStore() store: Store,
    @Param('id') id: string,
    @Query({ schema: pieceQuery }) { from }: PieceQuery,
    @Body() body: unknown,
  ): Promise<UploadView> {
    return this.uploads.add(store, id, { from, body });
  }

  @Delete(':id')
  @AdminAccess('ops')
  @HttpCode(204)
  @ApiParam({ name: 'id' })
  @ApiOperation({ summary: 'Forget an upload and its pieces' })
  @Answers(204, null, 'Removed')
  @Refuses('not_found', 'conflict')
  remove(@AdminStore() store: Store, @Param('id') id: string): Promise<void> {
    return this.uploads.remove(store, id);
  }
}
