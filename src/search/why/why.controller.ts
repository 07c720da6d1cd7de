import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, Refuses } from '../../http/openapi/answers';
import { CompiledTemplate } from '../../ranking/template/template-document';
import { AdminAccess, AdminStore } from '../../stores/access/admin-access';
import type { Store } from '../../stores/store';
import { TemplatesService } from '../../stores/templates/templates.service';
import { whyQuery } from './why-query';
import { whyReply, type WhyReply } from './why-reply';
import { WhyService } from './why.service';

@ApiTags('admin: ranking')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/why')
export class WhyController {
  constructor(
    private readonly service: WhyService,
    private readonly templates: TemplatesService,
  ) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({
    summary: 'Why a product ranks where it does or is not there, and what differs from the nearest product above it',
  })
  @Answers(200, whyReply)
  @Refuses('invalid_parameter', 'not_found')
  async why(
    @AdminStore() store: Store,
    @Query({ schema: whyQuery }) { template, version, ...request }: z.output<typeof whyQuery>,
  ): Promise<WhyReply> {
    if (template === undefined) return this.service.why(store, request);
    const { document } = await this.templates.get(store, { name: template, version });
    return this.service.why(store, request, new CompiledTemplate(document));
  }
}
