import { hash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openRoute } from '../openapi/open-route';

const STYLE = `body{max-width:40rem;margin:3rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}
dt{font-weight:600;margin-top:1rem}dd{margin:0}@media(prefers-color-scheme:dark){:root{color-scheme:dark}}`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vitrine</title>
<style>${STYLE}</style>
</head>
<body>
<h1>vitrine</h1>
<p>Personalization for online stores: the same query answers two shoppers in two different, sensible orders.</p>
<dl>
<dt><a href="/demo">The demo storefront</a></dt><dd>The same query for two shoppers, what the shop has learned, and why each product is where it is</dd>
<dt><a href="/console">The console</a></dt><dd>Templates, merchandising, catalogs, jobs and stores, for whoever runs the service</dd>
<dt><a href="/docs">The API</a></dt><dd>Every route, its parameters and replies; also as <a href="/openapi.json">OpenAPI</a></dd>
<dt><a href="/health/ready">Health</a></dt><dd>Whether it can do its work, by dependency; <a href="/metrics">metrics</a> are for Prometheus</dd>
<dt><a href="/vitrine.js">The browser tag</a></dt><dd>One script that sends a store's page events: <code>docs/browser-tag.md</code></dd>
<dt>Documentation</dt><dd><code>README.md</code> and <code>docs/</code> of the checkout this runs from: events, search, ranking, operations</dd>
</dl>
</body>
</html>
`;

/** Nothing is loaded, from here or elsewhere; the one style is named by its hash. */
const CONTENT_POLICY =
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `GET /`: where to go from here. */
export function registerStartPage(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/', openRoute('it says where what anybody may see is'), (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_POLICY).send(PAGE),
  );
}
