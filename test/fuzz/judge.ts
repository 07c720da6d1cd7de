import { errorCatalogue } from '../../src/shared/error-catalogue';
import type { ApiDocument, Operation } from './document';
import type { TimedReply } from './client';
import type { FuzzRequest } from './requests';

/** Words of what is inside, which no caller should read. */
const INSIDE =
  /\bat [\w.<>]+ \(|node_modules|SQLITE_|_exception\b|undefined is not|Cannot read prop|is not a function|WRONGTYPE|ECONNREFUSED/;

const HANG_MS = 2000;

/** What is wrong with a reply, whatever was asked; null: nothing. */
export function wrong(document: ApiDocument, operation: Operation, exchange: Exchange): string | null {
  const { reply } = exchange;
  if (reply.status >= 500) return `a ${reply.status}: ${reply.text.slice(0, 300)}`;
  if (reply.ms > HANG_MS) return `no answer for ${Math.round(reply.ms)} ms`;
  if (reply.headers['x-powered-by'] !== undefined || reply.headers['server'] !== undefined)
    return 'it says what it runs on';
  return wrongId(exchange) ?? wrongBody(document, operation, exchange);
}

export interface Exchange {
  request: FuzzRequest;
  reply: TimedReply;
}

function wrongId({ request, reply }: Exchange): string | null {
  const id = String(reply.headers['x-request-id'] ?? '');
  const sent = request.headers['x-request-id'];
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(id)) return `the X-Request-Id "${id}"`;
  return sent === 'mine-1' && id !== sent ? 'another X-Request-Id than the sane one that was sent' : null;
}

function wrongBody(document: ApiDocument, operation: Operation, { request, reply }: Exchange): string | null {
  const { status, text } = reply;
  const type = String(reply.headers['content-type'] ?? '');
  if (status < 400) {
    const contradiction = document.contradiction(operation, { status, type, text });
    return (
      contradiction ?? (type.startsWith('application/json') && hasCode(text) ? 'a success with a top-level code' : null)
    );
  }
  if (INSIDE.test(text)) return `words of what is inside: ${text.slice(0, 300)}`;
  const body = parsed(text);
  const word = body?.['error'] as keyof typeof errorCatalogue | undefined;
  if (word === undefined || errorCatalogue[word] !== status) return `no error of the catalogue: ${text.slice(0, 300)}`;
  if (body?.['requestId'] !== reply.headers['x-request-id']) return 'another requestId than in the header';
  if ((status === 429 || status === 503) && reply.headers['retry-after'] === undefined) return 'no Retry-After';
  // An odd address may be another one, and so no route at all.
  const elsewhere = word === 'unknown_route' && /%|\/\.{1,2}(?:[/?]|$)/.test(request.path);
  return elsewhere ? null : document.contradiction(operation, { status, type, text });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

const hasCode = (text: string): boolean => Object.hasOwn(parsed(text) ?? {}, 'code');
