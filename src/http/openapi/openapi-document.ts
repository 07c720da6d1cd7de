import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { z } from 'zod';
import { describeParameters } from './describe-parameters';
import { declareErrors } from './document-errors';

/** The API as OpenAPI 3, from the routes and the schemas that validate them. */
export function openApiDocument(app: NestFastifyApplication): OpenAPIObject {
  let parts = 0;
  const config = new DocumentBuilder()
    .setTitle('vitrine')
    .setDescription('Personalization and search for online stores.')
    .setVersion('1')
    .addBearerAuth()
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    standardSchemaConverter: (schema, { schemaType }) => toOpenApi(schema, `Part${(parts += 1)}`, schemaType),
  });
  return declareErrors(describeParameters(document));
}

/** Recursive schemas become components, under names that no other schema uses. */
function toOpenApi(schema: unknown, prefix: string, io: 'input' | 'output') {
  if (!(schema instanceof z.ZodType)) return undefined;
  const converted = z.toJSONSchema(schema, {
    io,
    target: 'openapi-3.0',
    unrepresentable: 'any',
    override: nullIsNamed,
  });
  const text = JSON.stringify(converted).replace(/(#\/\$defs\/|#\/definitions\/)/g, `#/components/schemas/${prefix}`);
  const { $schema: _schema, $defs, definitions, ...rest } = JSON.parse(text) as Record<string, object>;
  const parts = Object.entries({ ...$defs, ...definitions }).map(([name, part]) => [`${prefix}${name}`, part] as const);
  return { schema: rest, components: Object.fromEntries(parts) as Record<string, Record<string, unknown>> };
}

/** In OpenAPI 3.0 a nullable enum has to list null too. */
function nullIsNamed({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.enum && jsonSchema['nullable'] === true) jsonSchema.enum = [...jsonSchema.enum, null];
}
