import type { FastifyInstance } from 'fastify';

/** Our own pages (the API's documentation, the demo) load nothing from elsewhere. A route may set its own policy. */
const CONTENT_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; " +
  "base-uri 'self'; form-action 'self'; frame-ancestors 'self'";

/** Every reply to a request has these. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': CONTENT_POLICY,
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  // Replies, pictures and pixels are fetched by the stores' pages.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** The same for every reply: a plugin that computes them each time costs a tenth of a request. HSTS belongs to the proxy, where TLS ends. */
export function registerSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(SECURITY_HEADERS);
    done();
  });
}
