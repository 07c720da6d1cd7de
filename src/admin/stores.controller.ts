import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, jobStarted, Refuses } from '../http/openapi/answers';
import { AdminAccess, AdminStore, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, adminName } from '../stores/access/admin-tokens';
import type { Store } from '../stores/store';
import { settingsSchema, storeSettings } from '../stores/store-settings';
import { StoresService } from '../stores/stores.service';
import { StoreAdmin, type StoreView, viewStore } from './store-admin.service';

const MONTH_SECONDS = 30 * 86_400;

const origins = z.array(z.string().min(1).max(300)).max(1000);
const name = z.string().trim().min(1).max(256);

const newStoreSchema = z.object({
  apiKey: z
    .string()
    .regex(/^[^\s\p{C}](?:[^\p{C}]{0,254}[^\s\p{C}])?$/u, '1 to 256 characters without control characters are required')
    .optional(),
  name,
  origins: origins.optional(),
  settings: settingsSchema.optional(),
});

const storePatchSchema = z.object({ name: name.optional(), settings: settingsSchema.optional() });
const originsSchema = z.object({ origins });
const rotationSchema = z.object({ graceSeconds: z.int().min(0).max(MONTH_SECONDS).optional() });

const storeFields = {
  apiKey: z.string(),
  name: z.string(),
  origins: z.array(z.string()),
  // An address with letters beyond ASCII is accepted, and is no `uri` in the words of JSON Schema.
  settings: storeSettings.extend({ homeUrl: z.string().nullable() }),
  createdAt: z.iso.datetime(),
};

const storeView = z.object(storeFields);
const newStoreView = z.object({ ...storeFields, secretKey: z.string() });

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
  @ApiParam({ name: 'apiKey' })
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'One store' })
  @Answers(200, storeView)
  show(@AdminStore() store: Store): StoreView {
    return viewStore(store);
  }

  @Patch(':apiKey')
  @ApiParam({ name: 'apiKey' })
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
  @ApiParam({ name: 'apiKey' })
  @AdminAccess('ops')
  @HttpCode(202)
  @ApiOperation({ summary: 'Shuts the store out at once and erases everything of it in a job' })
  @Answers(202, jobStarted)
  @Refuses('conflict')
  remove(@AdminStore() store: Store, @CurrentAdmin() admin: Admin): Promise<{ jobId: string }> {
    return this.admin.remove(store, adminName(admin));
  }

  @Post(':apiKey/secrets')
  @ApiParam({ name: 'apiKey' })
  @AdminAccess('ops')
  @ApiOperation({ summary: 'A new secretKey; the old one lives on for graceSeconds (86,400)' })
  @Answers(201, z.object({ secretKey: z.string(), previousValidUntil: z.iso.datetime() }))
  @Refuses('invalid_body', 'conflict')
  rotate(
    @AdminStore() store: Store,
    @Body({ schema: rotationSchema }) { graceSeconds }: z.infer<typeof rotationSchema>,
  ): ReturnType<StoresService['rotateSecret']> {
    return this.stores.rotateSecret(store.id, graceSeconds);
  }

  @Put(':apiKey/origins')
  @ApiParam({ name: 'apiKey' })
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
