import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openRoute } from './open-route';
import { openApiDocument } from './openapi-document';

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
