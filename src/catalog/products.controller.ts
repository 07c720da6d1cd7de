import { Body, Controller, Delete, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../http/api-error';
import { CurrentCaller, StoreAccess } from '../stores/store-access';
import type { Caller } from '../stores/store';
import { CatalogService, type ManyResult } from './catalog.service';
import { manyProductsSchema, productSchema } from './product-schema';

const openApi = (schema: z.ZodType): Record<string, unknown> => {
  const options = { io: 'input', target: 'openapi-3.0', unrepresentable: 'any' } as const;
  return z.toJSONSchema(schema, options) as Record<string, unknown>;
};

/** Products from a store's backend, with its keys (contract 5). */
@ApiTags('catalog')
@Controller('v7/products')
@StoreAccess('catalog')
export class ProductsController {
  constructor(private readonly catalog: CatalogService) {}

  /** Replaces a product, or (with `salesChannel`) that channel's version of it. `status: "removed"` removes it. */
  @Put(':productId')
  @ApiOperation({ summary: 'Write one product' })
  @ApiParam({ name: 'productId' })
  @ApiBody({ schema: openApi(productSchema) })
  @ApiResponse({ status: 202, description: '{ id, version }: durable and searchable' })
  @ApiResponse({ status: 204, description: 'Removed, as its status asked for' })
  @ApiResponse({ status: 400, description: 'invalid_body, invalid_id, invalid_json' })
  @ApiResponse({ status: 404, description: 'not_found: the removal of something never sent' })
  async put(
    @CurrentCaller() caller: Caller,
    @Param('productId') productId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    return written(reply, await this.catalog.put(caller.store, productId, body));
  }

  /** Up to 1,000 products as `{ products: [...] }`, or any number as `application/x-ndjson`, one a line. */
  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Write many products' })
  @ApiConsumes('application/json', 'application/x-ndjson')
  @ApiBody({ schema: openApi(manyProductsSchema) })
  @ApiResponse({ status: 200, description: '{ accepted, rejected: [{ line, id, error, message }] }' })
  @ApiResponse({ status: 400, description: 'invalid_body, invalid_json' })
  putMany(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<ManyResult> {
    return this.catalog.putMany(caller.store, jsonOrLines(request));
  }

  /** Takes a product out, or (with `salesChannel`) out of that channel. */
  @Delete(':productId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove one product' })
  @ApiParam({ name: 'productId' })
  @ApiQuery({ name: 'salesChannel', required: false })
  @ApiResponse({ status: 204, description: 'Removed' })
  @ApiResponse({ status: 404, description: 'not_found: never sent' })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('productId') productId: string,
    @Query() query: unknown,
    @Body() body: unknown,
  ): Promise<void> {
    return this.catalog.remove(caller.store, productId, { query, body });
  }
}

function written(reply: FastifyReply, result: { id: string; version: number } | null): object | undefined {
  void reply.status(result ? 202 : 204);
  return result ?? undefined;
}

/** Other streams (CSV, XML) are feeds: they are imported, not posted. */
function jsonOrLines(request: FastifyRequest): unknown {
  const type = request.headers['content-type'] ?? '';
  if (/^(?:application|text)\/(?:csv|xml)/i.test(type)) {
    throw new ApiError('unsupported_media_type', 'Products are accepted as application/json or application/x-ndjson');
  }
  return request.body;
}
