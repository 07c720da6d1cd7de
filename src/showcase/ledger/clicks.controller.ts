import { Controller, Get, Header, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AnswerLimit } from '../../http/answer-limit';
import { shopperId, single } from '../../http/fields';
import { Answers, AnswersAs, Refuses } from '../../http/openapi/answers';
import { OpenRoute } from '../../http/openapi/open-route';
import { isId } from '../../shared/ids';
import { readKeys } from '../../stores/access/sent-keys';
import type { Caller, Store } from '../../stores/store';
import { CurrentCaller, StoreAccess } from '../../stores/access/store-access';
import { StoresService } from '../../stores/stores.service';
import { clickReply } from '../reply/reply-schemas';
import { ClicksService } from './clicks.service';
import { ConversionsService } from './conversions.service';
import type { Visitor } from '../links/visitor';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const NO_STORE = 'no-store';

const hash = z.string('The hash of a link is required').meta({
  description: 'What is clicked or seen, for whom and when, encrypted. The link holds it.',
  example: 'AQIDBA...',
});
const clickQuery = z.object({
  hash,
  redirect: single(z.string().optional()),
});
const viewQuery = z.object({ hash });
const conversionQuery = z.object({
  conv: single(z.string('{ tId, currency, products, total } is required, as JSON')).meta({
    description: 'The order, as JSON. A refund is the same tId with negative qty, and needs keys.',
    example: '{"tId":"1001","currency":"BRL","products":[{"sku":"tenis-1","price":199.9,"qty":1}],"total":199.9}',
  }),
  cUID: shopperId.meta({ description: 'The user who bought.', example: 'u-1001' }),
});

/** What the links and pixels of a showcase call. They need no keys, only their hash. */
@ApiTags('showcase')
@Controller()
export class ClicksController {
  constructor(
    private readonly clicks: ClicksService,
    private readonly conversions: ConversionsService,
    private readonly stores: StoresService,
    private readonly limit: AnswerLimit,
  ) {}

  @Get('click')
  @OpenRoute('the hash is all a link needs')
  @HttpCode(302)
  @ApiOperation({ summary: 'Counts a click, durably, and leads to the product; whether it counted or not' })
  @ApiHeader({ name: 'x-user-id', required: false })
  @ApiQuery({
    name: 'redirect',
    required: false,
    description: '0: answers whether the click counted, in place of the redirect.',
    schema: { type: 'string', enum: ['0', '1'], example: '0' },
  })
  @Answers(200, clickReply, 'With redirect=0')
  @Answers(302, null, "The product's page; the store's home where the product is gone")
  @Refuses('invalid_parameter')
  async click(
    @Query({ schema: clickQuery }) query: z.infer<typeof clickQuery>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const how = { proven: this.provenStore(request), leads: query.redirect !== '0' };
    const { counted, location } = await this.limit.within(this.clicks.click(query.hash, visitorOf(request), how));
    void reply.header('cache-control', NO_STORE);
    if (location === null) void reply.code(200).send({ counted });
    else void reply.code(302).header('location', location).send();
  }

  @Get('v.gif')
  @OpenRoute('the hash is all an image needs')
  @Header('cache-control', NO_STORE)
  @Header('content-type', 'image/gif')
  @ApiOperation({ summary: 'Counts a view of a card or of a widget' })
  @ApiHeader({ name: 'x-user-id', required: false })
  @AnswersAs('image/gif', 'One pixel')
  @Refuses('invalid_parameter')
  async view(
    @Query({ schema: viewQuery }) query: z.infer<typeof viewQuery>,
    @Req() request: FastifyRequest,
  ): Promise<Buffer> {
    await this.limit.within(this.clicks.view(query.hash, visitorOf(request)));
    return GIF;
  }

  @Get('c.gif')
  @StoreAccess('conversion')
  @Header('cache-control', NO_STORE)
  @Header('content-type', 'image/gif')
  @ApiOperation({ summary: 'Counts an order for the clicks it follows from; with keys also a refund (negative qty)' })
  @AnswersAs('image/gif', 'One pixel')
  @Refuses('invalid_parameter', 'forbidden')
  async conversion(
    @CurrentCaller() caller: Caller,
    @Query({ schema: conversionQuery }) { conv, cUID }: z.infer<typeof conversionQuery>,
  ): Promise<Buffer> {
    await this.limit.within(this.conversions.convert(caller, conv, cUID));
    return GIF;
  }

  /** Keys only lift limits here: wrong ones count as none, and the click is answered all the same. */
  private provenStore(request: FastifyRequest): Store | null {
    try {
      const { apiKey, secretKey } = readKeys(request, 'query');
      if (apiKey === undefined || secretKey === undefined) return null;
      return this.stores.authenticate(apiKey, secretKey)?.store ?? null;
    } catch {
      return null;
    }
  }
}

function visitorOf({ headers, method, ip }: FastifyRequest): Visitor {
  const userId = headers['x-user-id'];
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  return {
    userId: isId(userId) ? userId : null,
    userAgent: headers['user-agent'] ?? '',
    prefetch:
      method === 'HEAD' || purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose ?? ''))),
    address: ip,
  };
}
