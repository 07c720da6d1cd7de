import { basicAuthorization } from './basic-authorization';
import { OutboundError } from './outbound-error';

/** A request of a chain of redirects. */
export interface Step {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

const REPEATS_ANY_METHOD = new Set([307, 308]);
const REPEATS_READS = new Set([301, 302, 303, 307, 308]);
/** What is meant for one server alone. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);

interface First {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** User and password of the address become its `authorization` header, where the caller sends none. */
export function firstStep(address: string, { method = 'GET', headers = {}, body }: First): Step {
  if (!URL.canParse(address))
    throw new OutboundError('refused', 'An address that begins with http:// or https:// is required');
  const url = new URL(address);
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const all = { ...basicAuthorization(url), ...own };
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, method: method.toUpperCase(), headers: all, ...(body === undefined ? {} : { body }) };
}

/**
 * The request that a redirect asks for; null where the answer is none. One that would make a GET of a request with a body, and so lose
 * it, is an answer. Credentials stay with the server they were meant for.
 */
export function nextStep(step: Step, status: number, location: string | undefined): Step | null {
  const isRead = step.method === 'GET' || step.method === 'HEAD';
  if (!(isRead ? REPEATS_READS : REPEATS_ANY_METHOD).has(status) || location === undefined) return null;
  if (!URL.canParse(location, step.url.href)) throw new OutboundError('bad_answer', 'A redirect leads to no address');
  const url = new URL(location, step.url);
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('refused', 'A redirect that carries a user or a password is not followed');
  }
  const kept = Object.entries(step.headers).filter(
    ([name]) => url.origin === step.url.origin || !CREDENTIALS.has(name),
  );
  return { ...step, url, headers: Object.fromEntries(kept) };
}
