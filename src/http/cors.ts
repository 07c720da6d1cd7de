import type { FastifyInstance, FastifyRequest } from 'fastify';

const ALLOWED_HEADERS =
  'content-type, x-api-key, x-secret-key, x-user-id, x-host, ' +
  'x-integration-platform, x-integration-type, x-integration-version';

/** However the address is written: `/%61dmin` leads there too. The console's session is as much an admin's as what it opens. */
function isAdmin({ routeOptions, url }: FastifyRequest): boolean {
  const path = routeOptions.url ?? decoded(url);
  return path.startsWith('/admin') || path.startsWith('/console');
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** What a reply that is no preflight's says to pages: those of a whitelisted Origin may read it. */
export function corsHeaders(
  origin: string | undefined,
  isWhitelisted: (origin: string) => boolean,
): Record<string, string> {
  // Also without an Origin: a cache must not give this reply to a page.
  const vary = { vary: 'Origin' };
  if (!origin || !isWhitelisted(origin)) return vary;
  return { ...vary, ...allowed(origin), 'access-control-expose-headers': 'x-request-id, retry-after' };
}

function allowed(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
}

/**
 * Lets pages of whitelisted Origins read replies, and answers their preflights. Another Origin gets no CORS header, so its browser refuses.
 * A hook, because the whitelist changes while the service runs. No page may read admin routes.
 */
export function registerCors(fastify: FastifyInstance, isWhitelisted: (origin: string) => boolean): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isAdmin(request)) return done();
    const { origin } = request.headers;
    const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!preflight) {
      void reply.headers(corsHeaders(origin, isWhitelisted));
      return done();
    }
    void reply.header('vary', 'Origin');
    if (origin && isWhitelisted(origin)) {
      void reply
        .headers(allowed(origin))
        .header('access-control-allow-methods', 'GET, HEAD, POST')
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', '600');
    }
    void reply.code(204).send();
  });
}
