import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { z } from 'zod';
import { describeParameters } from './describe-parameters';
import { declareErrors } from './document-errors';
import { openRoute } from './open-route';

const ASSETS = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vitrine: API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null });\n`;

/** The API as OpenAPI 3, from the routes and the schemas that validate them. */
function openApiDocument(app: NestFastifyApplication): OpenAPIObject {
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

/** `/openapi.json`, and a page at `/docs` that shows it. The page loads nothing from elsewhere. */
export function registerDocs(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const open = openRoute('what every route takes is no secret');
  let document: string | undefined;
  fastify.get('/openapi.json', open, (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(app));
    return reply.type('application/json').send(document);
  });
  fastify.get('/docs', open, (_request, reply) => reply.type('text/html').send(PAGE));
  fastify.get('/docs/start.js', open, (_request, reply) => reply.type('text/javascript').send(START));
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(ASSETS)) {
    fastify.get(`/docs/${name}`, open, (_request, reply) => {
      void reply.type(type).header('cache-control', 'public, max-age=3600');
      return reply.send(readFileSync(join(folder, name)));
    });
  }
}
