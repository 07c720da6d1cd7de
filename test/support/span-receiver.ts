import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP has it in JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status?: { code?: number };
}

interface TracesRequest {
  resourceSpans: {
    resource: { attributes: ReceivedSpan['attributes'] };
    scopeSpans: { spans: ReceivedSpan[] }[];
  }[];
}

/** What a collector of traces is to a service: it takes OTLP over HTTP, on this machine. */
export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Of each request, as it arrived. */
  readonly texts: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** What it answers. */
  status = 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SpanReceiver> {
    const server = createServer(async (request, response) => {
      const body = await text(request);
      if (request.url === '/v1/traces' && receiver.status === 200) receiver.take(body, request.headers);
      response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
    });
    const receiver = new SpanReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  named(name: string | RegExp): ReceivedSpan[] {
    return this.spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(body: string, headers: IncomingHttpHeaders): void {
    this.texts.push(body);
    this.headers.push(headers);
    const { resourceSpans } = JSON.parse(body) as TracesRequest;
    for (const { scopeSpans } of resourceSpans) this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
  }
}

export function attribute(span: ReceivedSpan, name: string): string | number | undefined {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
}
