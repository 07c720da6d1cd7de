import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Answers, jobStarted, Refuses } from '../http/openapi/answers';
import { ApiError } from '../shared/api-error';
import { AdminAccess, AdminStore, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, adminName } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { WebhookEmitter } from './webhook-emitter';
import { type WebhooksView, webhooksView, type WebhooksWritten, webhooksWritten } from './webhook-replies';
import { type WebhooksBody, webhooksBody } from './webhook-schemas';
import { Webhooks } from './webhooks.service';

/** Where a store is told what ends or goes wrong (contract 8). docs/webhooks.md says what is sent. */
@ApiTags('admin: webhooks')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly emitter: WebhookEmitter,
  ) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'The webhooks of a store and how their last deliveries went, without secrets' })
  @Answers(200, webhooksView)
  list(@AdminStore() store: Store): Promise<WebhooksView> {
    return this.webhooks.view(store);
  }

  @Put()
  @AdminAccess('ops')
  @ApiOperation({
    summary: 'Replaces the webhooks',
    description:
      'A webhook that was there keeps its secret unless one is sent; for a new one without a secret one is made and shown in this answer alone',
  })
  @Answers(200, webhooksWritten)
  @Refuses('invalid_body')
  put(@AdminStore() store: Store, @Body({ schema: webhooksBody }) body: WebhooksBody): Promise<WebhooksWritten> {
    return this.webhooks.put(store, body);
  }

  @Post(':id/test')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiParam({ name: 'id' })
  @ApiOperation({
    summary: 'Sends `webhook.test` once',
    description: 'The job fails where it was not taken, and says why',
  })
  @Answers(202, jobStarted)
  async test(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('id') id: string,
  ): Promise<{ jobId: string }> {
    const webhook = this.webhooks.one(store.id, id);
    if (!webhook) throw new ApiError('not_found', `There is no webhook "${id}"`);
    return { jobId: await this.emitter.test(store.id, webhook, adminName(admin)) };
  }
}
