import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers } from '../../http/openapi/answers';
import { OpenRoute } from '../../http/openapi/open-route';
import { templateJsonSchema } from '../../ranking/template/template-schema';

export const SCHEMA_PATH = '/admin/schemas/boost-template.json';

@ApiTags('admin: ranking')
@OpenRoute('an editor that completes a template has no token, and the schema says nothing of any store')
@Controller()
export class TemplateSchemaController {
  private readonly schema = templateJsonSchema();

  @Get(SCHEMA_PATH)
  @Header('cache-control', 'public, max-age=3600')
  @ApiOperation({
    summary: 'The JSON Schema of boost templates: name it in `$schema`, and an editor completes and checks them',
  })
  @Answers(200, z.looseObject({ $schema: z.string() }))
  show(): object {
    return this.schema;
  }
}
