import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../shared/api-error';
import { projectRoot } from '../../storage/threads';
import { openRoute } from '../openapi/open-route';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** The name of a file changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** A page loads its own files alone, and talks to the service alone. Styles that its script makes carry the reply's nonce. */
const contentPolicy = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

interface WebPages {
  /** Where they are served, and the folder under `dist/web`: `console`. */
  path: string;
  /** Why anybody may load them. */
  reason: string;
}

/** Pages that `npm run build` made: their files below `assets`, and for every other address below `path` the one document, whose script reads it. */
export function registerWebPages(app: NestFastifyApplication, { path, reason }: WebPages): void {
  const folder = join(projectRoot, 'dist', 'web', path);
  let names: Set<string> | undefined;
  let page: string | undefined;
  const fastify = app.getHttpAdapter().getInstance();

  const answerPage = (reply: FastifyReply): FastifyReply => {
    page ??= readFileSync(join(folder, 'index.html'), 'utf8');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': contentPolicy(nonce),
        'x-frame-options': 'DENY',
      })
      .send(page.replaceAll('__NONCE__', nonce));
  };

  fastify.get<{ Params: { file: string } }>(
    `/${path}/assets/:file`,
    openRoute(reason),
    ({ params: { file } }, reply) => {
      names ??= new Set(readdirSync(join(folder, 'assets')));
      const type = TYPES[extname(file)];
      // Looked up, never resolved: no name leads out of the folder.
      if (!names.has(file)) {
        // The address of a page may be the same: that of a store called `assets`.
        if (type === undefined) return answerPage(reply);
        throw new ApiError('not_found', `There is no such file below /${path}/assets`);
      }
      return reply
        .type(type ?? 'application/octet-stream')
        .header('cache-control', FOR_EVER)
        .send(readFileSync(join(folder, 'assets', file)));
    },
  );
  fastify.get(`/${path}`, openRoute(reason), (_request, reply) => answerPage(reply));
  fastify.get(`/${path}/*`, openRoute(reason), (_request, reply) => answerPage(reply));
}
