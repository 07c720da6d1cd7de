import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminAccess, AdminStore, CurrentAdmin } from '../stores/admin-access';
import type { Admin } from '../stores/admin-tokens';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import { StoreAdmin, type StoreView, viewStore } from './store-admin.service';
import {
  type NewStoreBody,
  newStoreSchema,
  type OriginsBody,
  originsSchema,
  type RotationBody,
  rotationSchema,
  type StorePatchBody,
  storePatchSchema,
} from './store-schemas';

@ApiTags('admin: stores')
@Controller('admin/stores')
export class StoresController {
  constructor(
    private readonly admin: StoreAdmin,
    private readonly stores: StoresService,
  ) {}

  @Post()
  @AdminAccess('ops')
  @ApiOperation({ summary: 'Creates a store; the only time its secretKey is shown', description: '400, 409 taken' })
  create(@Body({ schema: newStoreSchema }) body: NewStoreBody): Promise<StoreView & { secretKey: string }> {
    return this.admin.create(body);
  }

  @Get()
  @AdminAccess('relevance', { boundToo: true })
  @ApiOperation({ summary: 'Every store, or the one the token is for' })
  list(@CurrentAdmin() admin: Admin): { stores: StoreView[] } {
    return this.admin.list(admin);
  }

  @Get(':apiKey')
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'One store' })
  show(@AdminStore() store: Store): StoreView {
    return viewStore(store);
  }

  @Patch(':apiKey')
  @AdminAccess('ops')
  @ApiOperation({ summary: 'Changes the name, and settings key by key', description: '400 for unknown or wrong ones' })
  async update(
    @AdminStore() store: Store,
    @Body({ schema: storePatchSchema }) body: StorePatchBody,
  ): Promise<StoreView> {
    return viewStore(await this.stores.update(store.id, body));
  }

  @Delete(':apiKey')
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiOperation({ summary: 'Shuts the store out at once and erases everything of it in a job' })
  remove(@AdminStore() store: Store): Promise<{ jobId: string }> {
    return this.admin.remove(store);
  }

  @Post(':apiKey/secrets')
  @AdminAccess('ops')
  @ApiOperation({ summary: 'A new secretKey; the old one lives on for graceSeconds (86,400)' })
  rotate(
    @AdminStore() store: Store,
    @Body({ schema: rotationSchema }) body: RotationBody,
  ): Promise<{ secretKey: string; previousValidUntil: string }> {
    return this.stores.rotateSecret(store.id, body.graceSeconds);
  }

  @Put(':apiKey/origins')
  @AdminAccess('ops')
  @ApiOperation({
    summary: 'The whitelist, replaced',
    description: '400 no host or a public suffix, 409 held by another',
  })
  async setOrigins(@AdminStore() store: Store, @Body({ schema: originsSchema }) body: OriginsBody): Promise<StoreView> {
    return viewStore(await this.stores.setOrigins(store.id, body.origins));
  }
}
