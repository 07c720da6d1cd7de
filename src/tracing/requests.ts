import { probeRoutes } from '../shared/probe-routes';
import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type SpanOptions,
  type Tracer as Spans,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A span for each request, named by its route: paths and queries name shoppers and keys. */
export function traceRequests(fastify: FastifyInstance, spans: Spans): void {
  const propagator = new W3CTraceContextPropagator();
  const contexts = new WeakMap<FastifyRequest, Context>();
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && probeRoutes.has(route)) return done();
    const around = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const span = spans.startSpan(
      route === undefined ? request.method : `${request.method} ${route}`,
      attributesOf(request),
      around,
    );
    const own = trace.setSpan(around, span);
    contexts.set(request, own);
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      span.setAttribute('http.response.status_code', statusCode);
      if (!reply.raw.writableFinished) span.setAttribute('error.type', 'aborted');
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(own, done);
  });
  // A body is read by events of its connection, which know nothing of the request.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const own = contexts.get(request);
    if (own) context.with(own, done);
    else done();
  });
}

function attributesOf({ method, routeOptions, id }: FastifyRequest): SpanOptions {
  const route = routeOptions.url;
  return {
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': method,
      ...(route === undefined ? {} : { 'http.route': route }),
      'vitrine.request_id': id,
    },
  };
}
