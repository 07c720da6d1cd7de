import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { single } from '../../http/fields';
import { Answers, Refuses } from '../../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import type { Admin } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { type SyntaxQuery, syntaxQuery } from '../imports/feed-syntax';
import { type FeedMapping, mappingSchema } from '../imports/items/feed-mapping';
import { FeedMappings, savedMapping, type SavedMapping } from './feed-mappings';
import { checkName } from './feed-schemas';
import { MappingTrial, type TrialBody, trialBody, type TrialView, trialView } from './mapping-trial';

const whichVersion = z.object({
  version: single(z.coerce.number().int().min(1).optional()).meta({
    description: 'A version of the mapping; the newest where it is absent.',
    example: 2,
  }),
});

/** Where a store's feeds have the fields of products (docs/feeds.md). */
@ApiTags('admin: feeds')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/mappings')
export class MappingsController {
  constructor(
    private readonly mappings: FeedMappings,
    private readonly trial: MappingTrial,
  ) {}

  @Get()
  @AdminAccess('ops')
  @ApiOperation({ summary: 'The newest version of each mapping' })
  @Answers(200, z.object({ mappings: z.array(savedMapping) }))
  async list(@AdminStore() store: Store): Promise<{ mappings: SavedMapping[] }> {
    return { mappings: await this.mappings.list(store) };
  }

  @Get(':name')
  @AdminAccess('ops')
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
  @AdminAccess('ops')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Make a version of a mapping', description: 'Try it before: `POST .../mappings/try`' })
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

  @Post('try')
  @AdminAccess('ops', { audited: false })
  @HttpCode(200)
  @ApiOperation({
    summary: 'What a mapping makes of the beginning of a feed',
    description:
      'Nothing is saved. The first 20 products as they would be sent, what would keep searches from finding them, and the lines that would be refused',
  })
  @Answers(200, trialView)
  @Refuses('invalid_body', 'invalid_parameter', 'not_found')
  try(
    @AdminStore() store: Store,
    @Query({ schema: syntaxQuery }) query: SyntaxQuery,
    @Body({ schema: trialBody }) body: TrialBody,
  ): Promise<TrialView> {
    return this.trial.try(store, body, query);
  }

  @Delete(':name')
  @AdminAccess('ops')
  @HttpCode(204)
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Forget a mapping with all its versions' })
  @Answers(204, null, 'Removed')
  @Refuses('not_found')
  remove(@AdminStore() store: Store, @Param('name') name: string): Promise<void> {
    return this.mappings.remove(store, name);
  }
}
