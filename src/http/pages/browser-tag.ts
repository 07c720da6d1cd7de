import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { projectRoot } from '../../storage/threads';
import { isNotModified, weakTag } from '../entity-tag';
import { openRoute } from '../openapi/open-route';

/** Shoppers' browsers ask again after an hour, and go on with what they have meanwhile. */
const CACHED = 'public, max-age=3600, stale-while-revalidate=86400';

/** `/vitrine.js`: what a store's pages load to send events (docs/browser-tag.md). */
export function registerBrowserTag(app: NestFastifyApplication): void {
  let script: { text: string; tag: string } | undefined;
  const read = (): { text: string; tag: string } => {
    const text = readFileSync(join(projectRoot, 'dist', 'web', 'vitrine.js'), 'utf8');
    return { text, tag: weakTag(text) };
  };
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/vitrine.js', openRoute('a script for the pages of every store'), (request, reply) => {
    script ??= read();
    void reply.type('text/javascript; charset=utf-8').header('cache-control', CACHED);
    return isNotModified(request, reply, script.tag) ? reply.send() : reply.send(script.text);
  });
}
