import { type TracingChannelSubscribers, tracingChannel } from 'node:diagnostics_channel';
import { context, type Span, SpanKind, trace, type Tracer as Spans } from '@opentelemetry/api';
import { failed } from './failed';

interface Command {
  command: string;
  serverAddress: string;
  serverPort?: number;
  error?: unknown;
}

/** Spans of the commands that ioredis announces, without keys and values: those name shoppers. Resolves with what ends it. */
export function traceRedis(spans: Spans): () => void {
  const channel = tracingChannel<unknown, Command>('ioredis:command');
  const open = new WeakMap<object, Span>();
  const end = (message: Command): void => {
    open.get(message)?.end();
    open.delete(message);
  };
  const subscribers: TracingChannelSubscribers<Command> = {
    start: (message) => {
      if (!trace.getSpan(context.active())?.isRecording()) return;
      const { command, serverAddress, serverPort } = message;
      const attributes = {
        'db.system.name': 'redis',
        'db.operation.name': command,
        'server.address': serverAddress,
        ...(serverPort === undefined ? {} : { 'server.port': serverPort }),
      };
      open.set(message, spans.startSpan(`redis ${command}`, { kind: SpanKind.CLIENT, attributes }));
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd: end,
    error: (message) => {
      const span = open.get(message);
      if (span) failed(span, message.error);
    },
  };
  channel.subscribe(subscribers);
  return () => channel.unsubscribe(subscribers);
}
