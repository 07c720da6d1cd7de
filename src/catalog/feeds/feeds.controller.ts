import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { checkName, type FeedDefinition, feedSchema, feedView, type FeedView } from './feed-schemas';
import { Feeds } from './feeds.service';

/** Feeds that are fetched and imported by themselves (docs/feeds.md). */
@ApiTags('admin: feeds')
@ApiParam({ name: 'apiKey' })
@AdminAccess('ops')
@Controller('admin/stores/:apiKey/feeds')
export class FeedsController {
  constructor(private readonly feeds: Feeds) {}

  @Get()
  @ApiOperation({ summary: 'The feeds of a store, and what became of their last runs' })
  @Answers(200, z.object({ feeds: z.array(feedView) }))
  async list(@AdminStore() store: Store): Promise<{ feeds: FeedView[] }> {
    return { feeds: await this.feeds.list(store) };
  }

  @Get(':name')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'A feed, and what became of its last runs' })
  @Answers(200, feedView)
  @Refuses('not_found')
  show(@AdminStore() store: Store, @Param('name') name: string): Promise<FeedView> {
    return this.feeds.show(store, name);
  }

  @Put(':name')
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Make or replace a feed; a new one is fetched within a minute' })
  @Answers(200, feedView)
  @Refuses('invalid_body', 'invalid_id', 'conflict', 'not_found')
  put(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Body({ schema: feedSchema }) feed: FeedDefinition,
  ): Promise<FeedView> {
    return this.feeds.put(store, checkName(name), feed);
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Fetch a feed no more; its products stay' })
  @Answers(204, null, 'Removed')
  @Refuses('not_found')
  remove(@AdminStore() store: Store, @Param('name') name: string): Promise<void> {
    return this.feeds.remove(store, name);
  }

  @Post(':name/run')
  @HttpCode(202)
  @ApiParam({ name: 'name' })
  @ApiOperation({ summary: 'Fetch and import a feed now' })
  @Answers(202, jobStarted)
  @Refuses('not_found')
  run(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('name') name: string,
  ): Promise<{ jobId: string }> {
    return this.feeds.run(store, name, adminName(admin));
  }
}
