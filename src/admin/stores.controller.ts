import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../stores/access/admin-access';
import type { Admin } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { isoTime, newStoreView, storeView } from './reply-schemas';
import { StoreAdmin, type StoreView, viewStore } from './store-admin.service';
import { newStoreSchema, originsSchema, rotationSchema, storePatchSchema } from './store-schemas';

@ApiTags('admin: stores')
@Controller('admin/stores')
export class StoresController {
  constructor(
    private readonly admin: StoreAdmin,
    private readonly stores: StoresService,
  ) {}

  @Post()
  @AdminAccess('ops')
  @ApiOperation({ summary: 'Creates a store; the only time its secretKey is shown' })
  @Answers(201, newStoreView)
  @Refuses('invalid_body', 'conflict')
  create(
    @Body({ schema: newStoreSchema }) body: z.infer<typeof newStoreSchema>,
  ): Promise<StoreView & { secretKey: string }> {
    return this.admin.create(body);
  }

  @Get()
  @AdminAccess('relevance', { boundToo: true })
  @ApiOperation({ summary: 'Every store, or the one the token is for' })
  @Answers(200, z.object({ stores: z.array(storeView) }))
  list(@CurrentAdmin() admin: Admin): { stores: StoreView[] } {
    return this.admin.list(admin);
  }

  @Get(':apiKey')
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'One store' })
  @Answers(200, storeView)
  show(@AdminStore() store: Store): StoreView {
    return viewStore(store);
  }

  @Patch(':apiKey')
  @AdminAccess('ops')
  @ApiOperation({ summary: 'Changes the name, and settings key by key' })
  @Answers(200, storeView)
  @Refuses('invalid_body', 'conflict')
  async update(
    @AdminStore() store: Store,
    @Body({ schema: storePatchSchema }) body: z.infer<typeof storePatchSchema>,
  ): Promise<StoreView> {
    return viewStore(await this.stores.update(store.id, body));
  }

  @Delete(':apiKey')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiOperation({ summary: 'Shuts the store out at once and erases everything of it in a job' })
  @Answers(202, jobStarted)
  @Refuses('conflict')
  remove(@AdminStore() store: Store): Promise<{ jobId: string }> {
    return this.admin.remove(store);
  }

  @Post(':apiKey/secrets')
  @AdminAccess('ops')
  @ApiOperation({ summary: 'A new secretKey; the old one lives on for graceSeconds (86,400)' })
  @Answers(201, z.object({ secretKey: z.string(), previousValidUntil: isoTime }))
  @Refuses('invalid_body', 'conflict')
  rotate(
    @AdminStore() store: Store,
    @Body({ schema: rotationSchema }) body: z.infer<typeof rotationSchema>,
  ): Promise<{ secretKey: string; previousValidUntil: string }> {
    return this.stores.rotateSecret(store.id, body.graceSeconds);
  }

  @Put(':apiKey/origins')
  @AdminAccess('ops')
  @ApiOperation({
    summary: 'The whitelist, replaced',
    description: 'invalid_body: no host, or a public suffix; conflict: held by another',
  })
  @Answers(200, storeView)
  @Refuses('invalid_body', 'conflict')
  async setOrigins(
    @AdminStore() store: Store,
    @Body({ schema: originsSchema }) body: z.infer<typeof originsSchema>,
  ): Promise<StoreView> {
    return viewStore(await this.stores.setOrigins(store.id, body.origins));
  }
}
