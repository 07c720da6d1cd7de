import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Settings } from '../../config/settings';
import { Answers, Refuses } from '../../http/openapi/answers';
import { openApiSchema } from '../../http/openapi/openapi-schema';
import { CompiledTemplate, templateBodySchema } from '../../ranking/template/template-document';
import { AdminAccess, AdminStore, CurrentAdmin } from '../../stores/access/admin-access';
import { type Admin, adminName } from '../../stores/access/admin-tokens';
import type { Store } from '../../stores/store';
import { type ShownVersion, TemplatesService } from '../../stores/templates/templates.service';
import { mistakesOf, sentTemplate } from './sent-template';
import { type PreviewBody, previewBody, type PreviewReply, previewReply, TemplatePreview } from './template-preview';
import {
  listedTemplate,
  newestFirst,
  templateDiff,
  type TemplateList,
  templateList,
  templateView,
  validation,
  viewOf,
} from './template-replies';
import { SCHEMA_PATH } from './template-schema.controller';

const anyVersion = z.coerce.number({ error: 'must be a whole number' }).int('must be a whole number').min(0).optional();
const version = anyVersion.meta({ description: 'A version of the template; absent: the newest.', example: 3 });
export const whichVersion = z.object({ version });
const twoVersions = z.object({
  version,
  from: z.string().min(1).max(64).optional().meta({
    description: 'The template to compare with; absent: the one that serves, with fromVersion this one.',
    example: 'summer',
  }),
  fromVersion: anyVersion.meta({ description: 'The version of it; absent: the newest.', example: 2 }),
});
const activation = z.strictObject({ version: z.int().min(0).optional(), force: z.boolean().default(false) });

type View = ReturnType<typeof viewOf>;

/** Boost templates: versions, previews, what serves, and the way back (docs/templates.md). */
@ApiTags('admin: ranking')
@ApiParam({ name: 'apiKey' })
@AdminAccess('relevance')
@Controller('admin/stores/:apiKey/templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly previews: TemplatePreview,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({ summary: "A store's boost templates, and which of them were active" })
  @Answers(200, templateList)
  async list(@AdminStore() store: Store): Promise<TemplateList> {
    const heads = await this.templates.list(store);
    const newest = await Promise.all(heads.map(({ name }) => this.templates.get(store, { name })));
    return {
      templates: heads.map((head, index) => listedTemplate(head, newest[index]!)),
      activations: newestFirst(this.templates.activations(store)),
    };
  }

  @Post('validate')
  @HttpCode(200)
  @AdminAccess('relevance', { audited: false })
  @ApiOperation({ summary: 'Every mistake of a template, with its path; nothing is kept' })
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @Answers(200, validation)
  validate(@Body() body: unknown): z.output<typeof validation> {
    const mistakes = mistakesOf(body);
    return { valid: mistakes.length === 0, mistakes };
  }

  @Post('rollback')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ranks with the template that was active before, on every replica' })
  @Answers(200, templateView)
  @Refuses('conflict')
  async rollback(@AdminStore() store: Store): Promise<View> {
    return this.view(await this.templates.rollback(store));
  }

  @Get(':name')
  @ApiOperation({ summary: 'A boost template, its newest version or another' })
  @Answers(200, templateView)
  @Refuses('not_found', 'invalid_parameter')
  async show(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Query({ schema: whichVersion }) query: z.output<typeof whichVersion>,
  ): Promise<View> {
    return this.view(await this.templates.get(store, { name, ...query }));
  }

  @Put(':name')
  @ApiOperation({
    summary: 'Makes a version of a boost template, unless the newest is the same; it serves once it is activated',
  })
  @ApiBody({ schema: openApiSchema(templateBodySchema) })
  @Answers(200, templateView)
  @Refuses('invalid_body', 'conflict')
  async put(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('name') name: string,
    @Body() body: unknown,
  ): Promise<View> {
    return this.view(await this.templates.put(store, sentTemplate(name, body), adminName(admin)));
  }

  @Get(':name/diff')
  @ApiOperation({ summary: 'What changes from the template that serves, or from another one, to this' })
  @Answers(200, templateDiff)
  @Refuses('not_found', 'invalid_parameter')
  diff(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Query({ schema: twoVersions }) { version: to, from, fromVersion }: z.output<typeof twoVersions>,
  ): Promise<object> {
    const other =
      from === undefined && fromVersion === undefined ? undefined : { name: from ?? name, version: fromVersion };
    return this.templates.diff(store, { name, version: to }, other);
  }

  @Post(':name/preview')
  @HttpCode(200)
  @AdminAccess('relevance', { audited: false })
  @ApiOperation({
    summary: 'A search for nobody and for chosen shoppers, with the template that serves and with this one',
  })
  @Answers(200, previewReply)
  @Refuses('invalid_body', 'not_found', 'invalid_parameter')
  async preview(
    @AdminStore() store: Store,
    @Param('name') name: string,
    @Body({ schema: previewBody }) body: PreviewBody,
  ): Promise<PreviewReply> {
    const { document } = await this.templates.get(store, { name, version: body.version });
    return this.previews.of(store, new CompiledTemplate(document), body);
  }

  @Post(':name/activate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ranks with a version of this template, on every replica' })
  @Answers(200, templateView)
  @Refuses('invalid_body', 'not_found', 'not_replayed')
  async activate(
    @AdminStore() store: Store,
    @CurrentAdmin() admin: Admin,
    @Param('name') name: string,
    @Body({ schema: activation }) body: z.output<typeof activation>,
  ): Promise<View> {
    return this.view(await this.templates.activate(store, { name, ...body }, adminName(admin)));
  }

  private view(shown: ShownVersion): View {
    return viewOf(shown, `${this.settings.urls.public}${SCHEMA_PATH}`);
  }
}
