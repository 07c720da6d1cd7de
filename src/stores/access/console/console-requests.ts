import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../shared/api-error';
import type { Settings } from '../../../config/settings';

export const CONSOLE_COOKIE = 'vitrine_console';

/** Sent with each change: a form can't, and a script of another origin only after a preflight, which is never allowed. */
export const CONSOLE_HEADER = 'x-vitrine-console';

type Request = Pick<FastifyRequest, 'headers'>;

/** The session id that a browser sent; null where there is none. */
export function sentSession({ headers }: Request): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    if (name === CONSOLE_COOKIE && value !== '') return value;
  }
  return null;
}

/** `seconds`: how long it lives; 0 takes it away. */
export function sessionCookie(id: string, seconds: number, { urls }: Pick<Settings, 'urls'>): string {
  const secure = urls.public.startsWith('https:') ? '; Secure' : '';
  return `${CONSOLE_COOKIE}=${id}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * Throws 403 where a page of another origin may have sent the request. `SameSite=Strict` holds back other sites; this holds back pages of the
 * same site too, such as a shop's beside the service. `safe`: the request changes nothing, and may come from nowhere, as of an address typed in.
 */
export function assertOwnPage(request: Request, { urls }: Pick<Settings, 'urls'>, { safe }: { safe: boolean }): void {
  const { headers } = request;
  const from = headers['sec-fetch-site'];
  const origin = headers.origin;
  const isOwn = origin === undefined || isOwnOrigin(origin, headers.host, urls.public);
  if (safe) {
    if ((from === undefined || from === 'same-origin' || from === 'none') && isOwn) return;
  } else if (headers[CONSOLE_HEADER] === '1' && isOwn && (from === 'same-origin' || (from === undefined && origin))) {
    return;
  }
  const message = `Only the console's own pages may do this: same origin, with the header ${CONSOLE_HEADER}: 1`;
  throw new ApiError('forbidden', message);
}

/** The address the browser asked, or the public one where a proxy asks by another name. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || new URL(publicUrl).origin === origin;
}
