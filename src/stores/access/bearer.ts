import type { IncomingHttpHeaders } from 'node:http';

/** The token of `Authorization: Bearer <token>`; null where there is none. */
export function bearerToken({ authorization = '' }: Pick<IncomingHttpHeaders, 'authorization'>): string | null {
  const [scheme = '', token = ''] = authorization.split(/ +/, 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : null;
}
