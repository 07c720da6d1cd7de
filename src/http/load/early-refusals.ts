import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { overloaded } from '../../shared/async/overloaded';
import { errorBody, errorHeaders } from '../error-body';
import { parseQueryString, type QueryValues } from '../query-string';
import { requestId } from '../request-id';
import { SECURITY_HEADERS } from '../security-headers';
import type { LoadControl, LoadNames } from './load-control';
import { plainRoute, shedRoutes } from './shed-routes';

/** What is known of a request when its head has been read. */
export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  readonly query: QueryValues;
  readonly ip: string;
}

export interface EarlyRefusals {
  control: Pick<LoadControl, 'sheds'>;
  /** The address of a caller. */
  addressOf(request: IncomingMessage): string;
  /** Whose a request claims to be. */
  namesOf(head: RequestHead): LoadNames;
  /** What pages are told, beside what everybody is. */
  corsHeaders(origin: string | undefined): Record<string, string>;
  /** Told of each refusal. */
  refused(socket: Socket, labels: { method: string; route: string; status: number }, ms: number): void;
  /** Whether the framework has to see what comes on this connection, whatever it is. */
  isOff(socket: Socket): boolean;
}

/** As `writeHead` takes them fastest. */
const ALWAYS = flat({
  ...SECURITY_HEADERS,
  ...errorHeaders(overloaded),
  'content-type': 'application/json; charset=utf-8',
});
/** Characters of an address. */
const LONGEST = 2048;
const ID = '<request id>';
/** What is around the request's id, which needs no escapes (`requestId`). */
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorBody(overloaded, ID)).split(ID);

/**
 * Refuses in front of Fastify what its hook of load shedding would refuse (`load-shedding.ts`), in the same words. In a flood most requests are
 * refused, so what each of them costs is taken from those that are answered. An address that is long, or is not spelled as its route is declared, is left to the hook.
 * Takes the place of the server's listeners, so it is called when all of them are there.
 */
export function refuseEarly(server: Server, options: EarlyRefusals): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isRefusedSafely(request, response, options)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** What is thrown here would end the process. The framework answers it, as everything that goes wrong. */
function isRefusedSafely(request: IncomingMessage, response: ServerResponse, options: EarlyRefusals): boolean {
  try {
    return isRefused(request, response, options);
  } catch (error) {
    if (response.headersSent) request.socket.destroy(error instanceof Error ? error : undefined);
    return response.headersSent;
  }
}

function isRefused(request: IncomingMessage, response: ServerResponse, options: EarlyRefusals): boolean {
  const { method = '', url = '', socket } = request;
  // The framework reads it again where it is let in.
  if (url.length > LONGEST) return false;
  const question = url.indexOf('?');
  const route = plainRoute(method, question < 0 ? url : url.slice(0, question));
  const load = route === undefined ? undefined : shedRoutes[route];
  if (route === undefined || load === undefined || options.isOff(socket)) return false;
  const since = performance.now();
  const head = new Head(request, question < 0 ? '' : url.slice(question + 1), options);
  if (!options.control.sheds(load, options.namesOf(head))) return false;
  refuse(request, response, options);
  options.refused(socket, { method, route, status: overloaded.status }, performance.now() - since);
  return true;
}

function refuse(request: IncomingMessage, response: ServerResponse, { corsHeaders }: EarlyRefusals): void {
  const id = requestId(request);
  const body = BEFORE_ID + id + AFTER_ID;
  const headers = [...ALWAYS, 'x-request-id', id, 'content-length', String(Buffer.byteLength(body))];
  headers.push(...flat(corsHeaders(request.headers.origin)));
  response.writeHead(overloaded.status, headers).end(body);
}

function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat();
}

/** The query string is read for whoever sends no `X-Secret-Key`, the address where it decides. */
class Head implements RequestHead {
  private values: QueryValues | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly queryString: string,
    private readonly options: EarlyRefusals,
  ) {}

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get query(): QueryValues {
    return (this.values ??= parseQueryString(this.queryString));
  }

  get ip(): string {
    return this.options.addressOf(this.request);
  }
}
