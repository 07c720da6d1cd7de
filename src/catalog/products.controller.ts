import { Body, Controller, Delete, HttpCode, Param, Post, Put, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Answers, Refuses } from '../http/openapi/answers';
import { AnswerLimit } from '../http/answer-limit';
import { ApiError } from '../shared/api-error';
import { BodyLimit, PRODUCTS_BODY_LIMIT } from '../http/body-limit';
import { openApiSchema } from '../http/openapi/openapi-schema';
import { WhileAnswering } from '../http/while-answering';
import { CurrentCaller, StoreAccess } from '../stores/access/store-access';
import type { Caller } from '../stores/store';
import { CatalogService, type ManyResult, manyResult } from './catalog.service';
import { manyProductsSchema, productSchema } from './product/product-schema';

const written = z.object({ id: z.string(), version: z.int() });

/** Products from a store's backend, with its keys (contract 5). */
@ApiTags('catalog')
@Controller('v7/products')
@StoreAccess('catalog')
export class ProductsController {
  constructor(
    private readonly catalog: CatalogService,
    private readonly limit: AnswerLimit,
  ) {}

  /** Replaces a product, or (with `salesChannel`) that channel's version of it. `status: "removed"` removes it. */
  @Put(':productId')
  @ApiOperation({ summary: 'Write one product' })
  @ApiParam({ name: 'productId' })
  @ApiBody({ schema: openApiSchema(productSchema) })
  @Answers(202, written, 'Durable and searchable')
  @Answers(204, null, 'Removed, as its status asked for')
  @Refuses('invalid_body', 'invalid_id', 'not_found')
  async put(
    @CurrentCaller() caller: Caller,
    @Param('productId') productId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const result = await this.limit.within(this.catalog.put(caller.store, productId, body));
    void reply.status(result ? 202 : 204);
    return result ?? undefined;
  }

  /** Up to 1,000 products as `{ products: [...] }`, or any number as `application/x-ndjson`, one a line. */
  @Post()
  @UseInterceptors(WhileAnswering)
  @BodyLimit(PRODUCTS_BODY_LIMIT)
  @HttpCode(200)
  @ApiOperation({ summary: 'Write many products' })
  @ApiConsumes('application/json', 'application/x-ndjson')
  @ApiBody({ schema: openApiSchema(manyProductsSchema) })
  @Answers(200, manyResult)
  @Refuses('invalid_body')
  putMany(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<ManyResult> {
    return this.catalog.putMany(caller.store, jsonOrLines(request));
  }

  /** Takes a product out, or (with `salesChannel`) out of that channel. */
  @Delete(':productId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove one product' })
  @ApiParam({ name: 'productId' })
  @ApiQuery({ name: 'salesChannel', required: false, description: 'Out of this sales channel alone.', example: 'app' })
  @Answers(204, null, 'Removed')
  @Refuses('invalid_id', 'invalid_body', 'invalid_parameter', 'not_found')
  remove(
    @CurrentCaller() caller: Caller,
    @Param('productId') productId: string,
    @Query() query: unknown,
    @Body() body: unknown,
  ): Promise<void> {
    return this.limit.within(this.catalog.remove(caller.store, productId, { query, body }));
  }
}

/** Other streams (CSV, XML) are feeds: they are imported, not posted. */
function jsonOrLines(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? '';
  if (/^(?:application|text)\/(?:csv|xml)/i.test(type)) {
    throw new ApiError('unsupported_media_type', 'Products are accepted as application/json or application/x-ndjson');
  }
  return request.body;
}
