import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { single } from '../../http/fields';
import { Answers, Refuses } from '../../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import type { Admin } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { type FeedMapping, mappingSchema } from '../imports/items/feed-mapping';
import { FeedMappings, savedMapping, type SavedMapping } from './feed-mappings';
import { checkName } from './feed-schemas';

const whichVersion = z.object({
  version: single(z.coerce.number().int().min(1).optional()).meta({
    description: 'A version of the mapping; the newest where it is absent.',
    example: 2,
  }),
});

/** Where a store's feeds have the fields of products (docs/feeds.md). */
@ApiTags('admin: feeds')
@ApiParam({ name: 'apiKey' })
@AdminAccess('ops')
@Controller('admin/stores/:apiKey/mappings')
export class MappingsController {
  constructor(private readonly mappings: FeedMappings) {}

  @Get()
  @ApiOperation({ summary: 'The newest version of each mapping' })
  @Answers(200, z.object({ mappings: z.array(savedMapping) }))
  async list(@AdminStore() store: Store): Promise<{ mappings: SavedMapping[] }> {
    return { mappings: await this.mappings.list(store) };
  }

  @Get(':name')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'A mapping, the newest version or the one named' })
  @Answers(200, savedMapping)
  @Refuses('not_found', 'invalid_parameter')
  show(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Query({ schema: whichVersion }) { version }: z.output<typeof whichVersion>,
  ): Promise<SavedMapping> {
    return this.mappings.get(store, name, version);
  }

  @Put(':name')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Make a version of a mapping', description: 'Try it with `?mapping=<name>&dryRun=true`' })
  @Answers(200, savedMapping)
  @Refuses('invalid_body', 'invalid_id', 'conflict')
  put(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('name') name: string,
    @Body({ schema: mappingSchema }) mapping: FeedMapping,
  ): Promise<SavedMapping> {
    return this.mappings.put(store, checkName(name), mapping, admin.jti);
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Forget a mapping with all its versions' })
  @Answers(204, null, 'Removed')
  @Refuses('not_found')
  remove(@AdminStore() store: Store, @Param('name') name: string): Promise<void> {
    return this.mappings.remove(store, name);
  }
}
