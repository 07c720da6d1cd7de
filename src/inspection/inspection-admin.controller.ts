import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, Refuses } from '../http/openapi/answers';
import { AdminAccess, AdminStore } from '../stores/access/admin-access';
import type { Store } from '../stores/store';
import { InspectionService } from './inspection.service';
import { type Inspected, inspected } from './record-view';

const channelSchema = z
  .object({
    salesChannel: z.string().min(1).max(256).optional().meta({
      description: 'As the product is in this sales channel: the default one without it',
      example: 'app',
    }),
  })
  .transform(({ salesChannel }) => (salesChannel === undefined ? {} : { salesChannel }));

/** What a store sent, for whoever runs the service: with an admin token, and as often as they like. */
@ApiTags('admin')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/products')
export class InspectionAdminController {
  constructor(private readonly inspection: InspectionService) {}

  @Get(':productId')
  @AdminAccess('relevance')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'A product as it was sent, and why searches find it or not',
    description: 'What GET /product shows with an inspection token. `salesChannel`: the default one without it',
  })
  @Answers(200, inspected, 'As sent, field for field, and _meta')
  @Refuses('invalid_id', 'not_found', 'invalid_parameter')
  product(
    @AdminStore() store: Store,
    @Param('productId') productId: string,
    @Query({ schema: channelSchema }) channel: z.infer<typeof channelSchema>,
  ): Promise<Inspected> {
    return this.inspection.product(store, { productId, ...channel });
  }
}
