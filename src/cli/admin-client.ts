import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** What went wrong, for the person at the terminal. `mayPass`: the same may go well a while later. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly mayPass: boolean;

  constructor(message: string, options: ErrorOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.mayPass = options.mayPass ?? false;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type QueryInput = Readonly<Record<string, string | undefined>>;

export interface CallOptions {
  body?: unknown;
  query?: QueryInput;
}

/** Calls the admin routes of the running service. */
export class AdminClient {
  constructor(
    private readonly url: string,
    private readonly token: () => string,
  ) {}

  /** The reply's JSON; undefined for an empty one. Throws CliError with the service's own message. */
  call(method: Method, path: string, { body, query }: CallOptions = {}): Promise<unknown> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.send(method, withQuery(path, query), json, 'application/json');
  }

  /** Sends a file as it is read. */
  async upload(path: string, file: string, type: string): Promise<unknown> {
    const stream = createReadStream(file);
    await once(stream, 'open').catch((error: Error) => {
      throw new CliError(error.message);
    });
    return this.send('POST', path, { body: Readable.toWeb(stream) as ReadableStream, duplex: 'half' }, type);
  }

  /** Sends bytes as they are. */
  put(path: string, bytes: Buffer<ArrayBuffer>): Promise<unknown> {
    return this.send('PUT', path, { body: bytes }, 'application/octet-stream');
  }

  private async send(
    method: Method,
    path: string,
    body: Pick<RequestInit, 'body' | 'duplex'>,
    type: string,
  ): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.token()}`, ...('body' in body ? { 'content-type': type } : {}) };
    const reply = await fetch(`${this.url}${path}`, { method, headers, ...body }).catch((cause: unknown) => {
      throw new CliError(`No service answers at ${this.url}: start it, or set VITRINE_URL`, { cause, mayPass: true });
    });
    const text = await reply.text().catch((cause: unknown) => {
      throw new CliError(`The answer of ${this.url} broke off`, { cause, mayPass: true });
    });
    const value = parse(text);
    if (reply.ok) return value;
    const { message, details } = Object(value) as { message?: string; details?: { path: string; message: string }[] };
    // The message has the first mistake: a single one is not said twice.
    const several = details && details.length > 1 ? details : [];
    const lines = several.map((detail) => `\n  ${detail.path}: ${detail.message}`);
    throw new CliError(`${message ?? `The service answered ${reply.status}`}${lines.join('')}`, {
      mayPass: reply.status >= 500 || reply.status === 429 || reply.status === 408,
    });
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function withQuery(path: string, query: QueryInput = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
