import { applyDecorators, Controller, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, CallerRefuses, Refuses } from '../http/openapi/answers';
import { AnswerLimit } from '../http/answer-limit';
import { BodyLimit, EVENT_BODY_LIMIT } from '../http/body-limit';
import { CurrentCaller, StoreAccess } from '../stores/access/store-access';
import type { Caller } from '../stores/store';
import { InspectionAccessGuard } from './inspection-access.guard';
import { InspectionService } from './inspection.service';
import { InspectionThrottle } from './inspection-throttle';
import { InspectionTokens, TOKEN_LIFE } from './inspection-tokens';
import { type Inspected, inspected } from './record-view';

/** One read: an inspection token, one of ten requests a minute, never from a cache. */
const Inspection = (summary: string): MethodDecorator =>
  applyDecorators(
    UseGuards(InspectionAccessGuard, InspectionThrottle),
    Header('cache-control', 'no-store'),
    ApiBearerAuth(),
    ApiOperation({ summary }),
    Answers(200, inspected, 'As sent, field for field, and _meta'),
    CallerRefuses('missing_authentication', 'invalid_token', 'too_many_requests'),
    Refuses('invalid_id', 'not_found'),
  );

const issuedToken = z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() });

const text = { type: 'string' };

/** What a store sent, for its developers to look at (contract 6). For debugging alone, so throttled. */
@ApiTags('inspection')
@Controller()
export class InspectionController {
  constructor(
    private readonly inspection: InspectionService,
    private readonly tokens: InspectionTokens,
    private readonly limit: AnswerLimit,
  ) {}

  // Guards run from the lowest decorator up: what is counted is the store that the keys opened.
  @Post('authenticate')
  @UseGuards(InspectionThrottle)
  @StoreAccess('inspection')
  @BodyLimit(EVENT_BODY_LIMIT)
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'The keys of a store, traded for a token for its records' })
  @ApiBody({
    schema: { type: 'object', required: ['apiKey', 'secretKey'], properties: { apiKey: text, secretKey: text } },
  })
  @Answers(200, issuedToken)
  @Refuses('missing_keys')
  authenticate(@CurrentCaller() { store, secretId = '' }: Caller): object {
    return { access_token: this.tokens.issue(store, secretId), token_type: 'Bearer', expires_in: TOKEN_LIFE };
  }

  @Get('product/:productId')
  @Inspection('A product as it was sent, in the default sales channel')
  product(@CurrentCaller() { store }: Caller, @Param('productId') productId: string): Promise<Inspected> {
    return this.limit.within(this.inspection.product(store, { productId }));
  }

  @Get('product/:productId/sku/:skuId')
  @Inspection('The same, with one of its SKUs alone')
  productWithSku(
    @CurrentCaller() { store }: Caller,
    @Param('productId') productId: string,
    @Param('skuId') skuId: string,
  ): Promise<Inspected> {
    return this.limit.within(this.inspection.product(store, { productId, skuId }));
  }

  @Get('saleschannel/:salesChannel/product/:productId')
  @Inspection('A product as it is in a sales channel')
  productInChannel(
    @CurrentCaller() { store }: Caller,
    @Param('salesChannel') salesChannel: string,
    @Param('productId') productId: string,
  ): Promise<Inspected> {
    return this.limit.within(this.inspection.product(store, { salesChannel, productId }));
  }

  @Get('saleschannel/:salesChannel/product/:productId/sku/:skuId')
  @Inspection('One SKU as it is in a sales channel')
  sku(
    @CurrentCaller() { store }: Caller,
    @Param('salesChannel') salesChannel: string,
    @Param('productId') productId: string,
    @Param('skuId') skuId: string,
  ): Promise<Inspected> {
    return this.limit.within(this.inspection.sku(store, { salesChannel, productId, skuId }));
  }
}
