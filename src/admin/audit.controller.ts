import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, Refuses } from '../http/openapi/answers';
import { AdminAccess, CurrentAdmin } from '../stores/access/admin-access';
import { type Admin, AdminTokens } from '../stores/access/admin-tokens';
import { Audit, auditEntry, type AuditEntry } from '../stores/access/audit';
import { StoresService } from '../stores/stores.service';

const querySchema = z.object({
  store: z
    .string()
    .optional()
    .meta({ description: 'What was changed of this store alone, by its apiKey.', example: 'loja' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ description: 'So many entries at most.', example: 20 }),
});
const jtiSchema = z.string().min(1).max(128);

@ApiTags('admin: audit')
@Controller('admin')
export class AuditController {
  constructor(
    private readonly audit: Audit,
    private readonly tokens: AdminTokens,
    private readonly stores: StoresService,
  ) {}

  @Get('audit')
  @AdminAccess('relevance', { boundToo: true })
  @ApiOperation({ summary: 'Who changed what, newest first' })
  @Answers(200, z.object({ entries: z.array(auditEntry) }))
  @Refuses('invalid_parameter')
  async list(
    @CurrentAdmin() admin: Admin,
    @Query({ schema: querySchema }) query: z.infer<typeof querySchema>,
  ): Promise<{ entries: AuditEntry[] }> {
    const { limit, store } = query;
    if (admin.store === undefined) return { entries: await this.audit.list({ limit, ...(store ? { store } : {}) }) };
    const own = this.stores.byId(admin.storeId ?? '');
    return { entries: own ? await this.audit.list({ limit, store: own.apiKey, of: own }) : [] };
  }

  @Delete('tokens/:jti')
  @AdminAccess('ops')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revokes an admin token' })
  @Answers(204, null)
  @Refuses('invalid_parameter')
  revoke(@Param('jti', { schema: jtiSchema }) jti: string): Promise<void> {
    return this.tokens.revoke(jti);
  }
}
