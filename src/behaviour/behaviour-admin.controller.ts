import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, AnswersAs, jobStarted, Refuses } from '../http/openapi/answers';
import { openApiSchema } from '../http/openapi/openapi-schema';
import { validate } from '../http/validation';
import { ID_RULE, isId } from '../shared/ids';
import { AdminAccess, AdminStore, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, adminName } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { EventImports } from './events/imports/event-imports';
import { ProfileJobs } from './profiles/profile-jobs';
import { type VectorView, vectorView, VectorViews } from './profiles/vector-view';
import { type EraseReceipt, eraseReceipt } from './shoppers/personal-data';
import { checkId, UsersService } from './shoppers/users.service';

const id = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.custom<string>(isId, `Expected an id: ${ID_RULE}`),
);
const rebuildSchema = z
  .strictObject({ userId: id.optional(), deviceId: id.optional() })
  .refine(({ userId, deviceId }) => userId === undefined || deviceId === undefined, {
    message: 'Name a userId or a deviceId, or neither for all',
  })
  .transform(({ userId, deviceId }) => ({ ...(userId ? { userId } : {}), ...(deviceId ? { deviceId } : {}) }));

@ApiTags('admin: behaviour')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey')
export class BehaviourAdminController {
  constructor(
    private readonly imports: EventImports,
    private readonly profileJobs: ProfileJobs,
    private readonly views: VectorViews,
    private readonly users: UsersService,
  ) {}

  @Post('events/imports')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiConsumes('application/x-ndjson')
  @ApiOperation({ summary: 'History: one event on each line, with its name and its own past timestamp' })
  @ApiBody({ schema: { type: 'string', description: 'NDJSON' } })
  @Answers(202, jobStarted)
  async importEvents(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Body() body: unknown,
  ): Promise<{ jobId: string }> {
    return this.imports.stage(store, body, adminName(admin));
  }

  @Post('vectors/rebuild')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiOperation({ summary: 'Vectors from the event log: { userId } or { deviceId }, or all' })
  @ApiBody({ required: false, schema: openApiSchema(rebuildSchema) })
  @Answers(202, jobStarted)
  @Refuses('invalid_body')
  async rebuild(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Body() body: unknown,
  ): Promise<{ jobId: string }> {
    return this.profileJobs.requestRebuild(store, validate(rebuildSchema, body, 'body'), adminName(admin));
  }

  @Get('users/:userId/vector')
  @AdminAccess('relevance')
  @ApiOperation({ summary: "Every weight of a user's behaviour vector, with what it came from" })
  @Answers(200, vectorView)
  @Refuses('invalid_id')
  async userVector(@AdminStore() store: Store, @Param('userId') userId: string): Promise<VectorView> {
    checkId(userId);
    return this.views.view(store, { userId });
  }

  @Get('devices/:deviceId/vector')
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'The same of a device: what no user has claimed' })
  @Answers(200, vectorView)
  @Refuses('invalid_id')
  async deviceVector(@AdminStore() store: Store, @Param('deviceId') deviceId: string): Promise<VectorView> {
    checkId(deviceId);
    return this.views.view(store, { deviceId });
  }

  @Post('users/:userId/export')
  @AdminAccess('ops')
  @HttpCode(200)
  @ApiOperation({ summary: 'Everything known of a user, as NDJSON: jobs, profile, links, vector, events' })
  @AnswersAs('application/x-ndjson', 'One thing a line, its kind in `type`')
  @Refuses('invalid_id')
  async exportUser(@AdminStore() store: Store, @Param('userId') userId: string): Promise<StreamableFile> {
    const lines = await this.users.export(store, userId);
    return new StreamableFile(Readable.from(lines, { objectMode: false }), { type: 'application/x-ndjson' });
  }

  @Delete('users/:userId')
  @AdminAccess('ops')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Erases everything known of a user, as DELETE /v7/users does with keys; answers how much that was',
  })
  @Answers(200, eraseReceipt)
  @Refuses('invalid_id')
  eraseUser(@AdminStore() store: Store, @Param('userId') userId: string): Promise<EraseReceipt> {
    return this.users.erase(store, userId);
  }
}
