import type {
  Connection,
  ConnectionRequestParams,
  ConnectionRequestResponse,
  errors,
  Serializer,
  Transport,
  TransportOptions,
  TransportRequestOptions,
  TransportRequestParams,
} from '@elastic/elasticsearch';
import { traced, type TracedWork } from '../../shared/tracing';
import { NodeHealth } from './node-health';

type Vendor = typeof import('@elastic/elasticsearch');
type Result = ConstructorParameters<typeof errors.ResponseError>[0];

/** Understood by OpenSearch too, unlike Elastic's own media types. */
const PLAIN = { jsonContentType: 'application/json', ndjsonContentType: 'application/x-ndjson' };
const SENDER = { requestId: 0, name: 'vitrine', context: null };

/** A transport that knows which nodes answer. */
export interface NodesTransport {
  readonly health: NodeHealth;
}

/** No connection was made, so nothing was sent. */
const UNSENT = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN/;

/**
 * Sends a request once and reads its answer: no retries (but another node where one takes no connection), no sniffing, no telemetry of the client's own, no check
 * for Elastic's name in the headers of the answer.
 * The client's own transport can be set to do so too, but gives every result a getter of its own. V8 makes a hidden class of each, which
 * keeps the request and the answer (several kilobytes) until a collection of the whole heap. Under load that is one every few seconds, and
 * each takes two cores for a tenth of a second.
 */
export function singleTransport(vendor: Vendor, { plain }: { plain: boolean }): typeof Transport {
  return class extends vendor.Transport {
    private readonly messages: Messages;
    readonly health: NodeHealth;

    constructor(given: TransportOptions) {
      super(given);
      const types = plain ? PLAIN : { ...PLAIN, ...given.vendoredHeaders };
      this.messages = new Messages(given.serializer ?? new vendor.Serializer(), types);
      this.health = new NodeHealth(() => this.connectionPool.connections, ping);
    }

    override request<T = unknown>(params: TransportRequestParams, options?: TransportRequestOptions): Promise<T> {
      return traced(
        () => workOf(params),
        () => this.ask<T>(params, options),
      );
    }

    private async ask<T>(params: TransportRequestParams, options: TransportRequestOptions = {}): Promise<T> {
      const sent = this.messages.toSend(params, options);
      const failure = (): Result => {
        const { requestId: id, name, context } = SENDER;
        const request = { params: sent, options, id };
        return { warnings: null, meta: { context, name, request, connection: null, attempts: 0, aborted: false } };
      };
      const answer = await toSomeNode(this.health, (node) => this.exchange(node, sent, options));
      if (!answer) throw new vendor.errors.NoLivingConnectionsError('There are no living connections', failure());
      const body = this.messages.read(answer);
      const { statusCode, headers } = answer;
      if (statusCode >= 400 && !options.ignore?.includes(statusCode)) {
        throw new vendor.errors.ResponseError({ ...failure(), body, statusCode, headers });
      }
      return body as T;
    }

    private async exchange(
      connection: Connection,
      params: ConnectionRequestParams,
      { signal }: TransportRequestOptions,
    ): Promise<ConnectionRequestResponse> {
      const begun = performance.now();
      const over = this.health.sent(connection);
      try {
        const answer = await connection.request(params, signal ? { ...SENDER, signal } : SENDER);
        this.health.answered(connection, answer.statusCode);
        return answer;
      } catch (error) {
        this.health.failed(connection, error, begun);
        throw error;
      } finally {
        over();
      }
    }
  };
}

/** Neither what is sent nor which documents it is about. */
function workOf({ meta, path, method }: TransportRequestParams): TracedWork {
  const operation = meta?.name ?? /\/_(\w+)/.exec(path)?.[1] ?? method.toLowerCase();
  const index = meta?.pathParts?.['index'];
  return {
    name: `elasticsearch ${operation}`,
    kind: 'part',
    attributes: {
      'db.system.name': 'elasticsearch',
      'db.operation.name': operation,
      ...(typeof index === 'string' ? { 'db.collection.name': index } : {}),
    },
  };
}

/** Sends to a node that lives, and where it takes no connection to another. Null: there is none. */
async function toSomeNode<T>(health: NodeHealth, send: (node: Connection) => Promise<T>): Promise<T | null> {
  const tried: Connection[] = [];
  for (let node = health.pick(); node;) {
    tried.push(node);
    try {
      return await send(node);
    } catch (error) {
      const other = isUnsent(error) ? health.pick(tried) : null;
      if (!other || tried.includes(other)) throw error;
      node = other;
    }
  }
  return null;
}

function isUnsent(error: unknown): boolean {
  const { name, message } = Object(error) as Error;
  return name === 'ConnectionError' && UNSENT.test(message);
}

async function ping(connection: Connection, withinMs: number): Promise<number> {
  const signal = AbortSignal.timeout(withinMs);
  const { statusCode } = await connection.request({ method: 'HEAD', path: '/' }, { ...SENDER, signal });
  return statusCode;
}

/** Requests and answers as they travel. */
class Messages {
  constructor(
    private readonly serializer: Serializer,
    private readonly types: typeof PLAIN,
  ) {}

  toSend(
    { method, path, querystring, body, bulkBody }: TransportRequestParams,
    { headers }: TransportRequestOptions,
  ): ConnectionRequestParams {
    const { jsonContentType: accept, ndjsonContentType } = this.types;
    const type = bulkBody === undefined ? accept : ndjsonContentType;
    return {
      method,
      path,
      querystring: this.serializer.qserialize(querystring),
      body: bulkBody === undefined ? this.json(body) : this.lines(bulkBody),
      headers: { accept, 'content-type': type, ...headers },
    };
  }

  read({ body, headers }: ConnectionRequestResponse): unknown {
    const text = body.toString();
    const isJson = text !== '' && (headers['content-type'] ?? '').includes('json');
    return isJson ? this.serializer.deserialize(text) : text;
  }

  private json(body: TransportRequestParams['body']): string | null {
    if (body === undefined) return null;
    return typeof body === 'string' ? body : this.serializer.serialize(body);
  }

  private lines(body: NonNullable<TransportRequestParams['bulkBody']>): string {
    return typeof body === 'string' ? body : this.serializer.ndserialize(body as object[]);
  }
}
