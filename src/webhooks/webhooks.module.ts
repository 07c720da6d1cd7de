import { Global, Module } from '@nestjs/common';
import { WebhookDelivery } from './webhook-delivery';
import { WebhookEmitter } from './webhook-emitter';
import { WebhooksController } from './webhooks.controller';
import { Webhooks } from './webhooks.service';

/** Tells stores' servers what ends or goes wrong. Needs JobQueue, OutboundRequests, StoresService and Clock. */
@Global()
@Module({
  controllers: [WebhooksController],
  providers: [Webhooks, WebhookEmitter, WebhookDelivery],
  exports: [WebhookEmitter],
})
export class WebhooksModule {}
