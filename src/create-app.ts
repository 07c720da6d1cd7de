import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DestinationStream } from 'pino';
import type { LogLevel, Settings } from './config/settings';
import { CacheInvalidation } from './documents/cache-invalidation';
import { probeRoutes } from './shared/probe-routes';
import { claimedNames } from './stores/access/load-names';
import { StoresService } from './stores/stores.service';
import { DEFAULT_BODY_LIMIT } from './http/body-limit';
import { registerBodyParsers } from './http/body-parsers';
import { registerCompression } from './http/compression';
import { clientAddress, trustProxy } from './http/client-address';
import { corsHeaders, registerCors } from './http/cors';
import { registerDocs } from './http/openapi/docs';
import { errorBody, toApiError } from './http/error-body';
import { ErrorFilter, replyWithError } from './http/error.filter';
import { dropOfGoneConnections } from './http/gone-connections';
import { loggerOptions, nestLogger } from './http/logger';
import { refuseEarly } from './http/load/early-refusals';
import { LoadControl } from './http/load/load-control';
import { registerLoadShedding } from './http/load/load-shedding';
import { Metrics } from './http/health/metrics';
import { parseQueryString } from './http/query-string';
import { registerBrowserTag } from './http/pages/browser-tag';
import { registerStartPage } from './http/pages/start-page';
import { registerWebPages } from './http/pages/web-pages';
import { requestId } from './http/request-id';
import { registerSecurityHeaders } from './http/security-headers';
import { refuseWhileStopping } from './http/shutdown/refuse-while-stopping';
import { Shutdown } from './http/shutdown/shutdown';
import { SchemaPipe } from './http/validation';
import { countSpans } from './http/health/span-metrics';
import type { Tracing } from './tracing/tracing';

export interface AppOptions {
  settings: Settings;
  /** Where log lines go; absent: standard output. */
  logStream?: DestinationStream;
  /** Milliseconds a body that is read whole may take to arrive. */
  bodyWithinMs?: number;
  /** Absent: nothing is traced. */
  tracing?: Tracing;
}

const BODY_WITHIN_MS = 30_000;
/** Of the log: each request has a line. */
const LINE_FOR_EACH: ReadonlySet<string> = new Set<LogLevel>(['debug', 'trace']);

/** The application, ready to `inject` or `listen`. The root module has to import StoresModule, HttpModule and what these need. */
export async function createApp(root: Type | DynamicModule, options: AppOptions): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter(fastifyOptions(options));
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const app = await NestFactory.create<NestFastifyApplication>(root as Type, adapter as never, {
    logger: nestLogger(fastify.log),
    bodyParser: false,
    abortOnError: false,
  });
  await configureHttp(app, fastify, options);
  await app.init();
  await fastify.ready();
  return app;
}

async function configureHttp(
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  options: AppOptions,
): Promise<void> {
  const metrics = app.get(Metrics, { strict: false });
  if (options.tracing) {
    options.tracing.observe(fastify);
    countSpans(metrics, options.tracing);
  }
  dropOfGoneConnections(fastify);
  // An unknown expectation may be ignored; the server's own answer would not have the shape of our errors.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  const shutdown = app.get(Shutdown, { strict: false });
  shutdown.watch(fastify.server);
  shedInFront(app, fastify, options);
  fastify.addHook('onRoute', (route) => {
    const { bodyLimit } = (route.config ?? {}) as { bodyLimit?: number };
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit;
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    request.log.debug({ requestId: request.id, req: request, res: reply, ms: reply.elapsedTime }, 'answered');
    done();
  });
  registerSecurityHeaders(fastify);
  await registerCompression(fastify);
  const caches = app.get(CacheInvalidation, { strict: false });
  // Ahead of whatever looks at stores.
  fastify.addHook('onRequest', (request, _reply, done) => {
    const waking = probeRoutes.has(request.routeOptions.url ?? '') ? undefined : caches.noteUse();
    if (waking) void waking.then(() => done());
    else done();
  });
  const stores = app.get(StoresService, { strict: false });
  registerCors(fastify, (origin) => stores.byOrigin(origin) !== undefined);
  refuseWhileStopping(fastify, shutdown);
  registerLoadShedding(fastify, app.get(LoadControl, { strict: false }), (request) => claimedNames(request, stores));
  registerBodyParsers(fastify, { withinMs: options.bodyWithinMs ?? BODY_WITHIN_MS });
  metrics.observe(fastify);
  registerDocs(app);
  registerStartPage(app);
  registerBrowserTag(app);
  registerWebPages(app, { path: 'demo', reason: 'pages of a shop that is made up' });
  registerWebPages(app, {
    path: 'console',
    reason: 'its pages hold nothing: what they show they ask for as whoever signed in',
  });
  (app as INestApplication).useGlobalFilters(new ErrorFilter());
  (app as INestApplication).useGlobalPipes(new SchemaPipe());
}

/**
 * Not where every request has its span or its line, or is told that the process leaves. A process that only refuses counts as unused
 * (CacheInvalidation): there is none, for what is let in is not refused.
 */
function shedInFront(app: INestApplication, fastify: FastifyInstance, { settings, tracing }: AppOptions): void {
  const stores = app.get(StoresService, { strict: false });
  const metrics = app.get(Metrics, { strict: false });
  const shutdown = app.get(Shutdown, { strict: false });
  refuseEarly(fastify.server, {
    control: app.get(LoadControl, { strict: false }),
    addressOf: clientAddress(settings.trustProxy),
    namesOf: (head) => claimedNames(head, stores),
    corsHeaders: (origin) => corsHeaders(origin, (one) => stores.byOrigin(one) !== undefined),
    refused: (socket, labels, ms) => {
      shutdown.answeredAtOnce(socket);
      metrics.answered(labels, ms);
    },
    isOff: (socket) =>
      !shutdown.mayAnswerAtOnce(socket) || tracing !== undefined || LINE_FOR_EACH.has(settings.logLevel),
  });
}

/** zod validates bodies. Without this Fastify would load two compilers of JSON schemas at every start. */
function noSchemaCompiler(): never {
  throw new Error('A route has a schema of Fastify: validate it by a SchemaPipe instead');
}

function fastifyOptions({ settings, logStream }: AppOptions): FastifyHttpOptions<Server> {
  return {
    logger: { ...loggerOptions(settings.logLevel), ...(logStream ? { stream: logStream } : {}) },
    schemaController: { compilersFactory: { buildValidator: noSchemaCompiler, buildSerializer: noSchemaCompiler } },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for every request would be slow; lines about a request name its id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestId(request),
    requestIdHeader: false,
    trustProxy: trustProxy(settings.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMIT,
    routerOptions: {
      maxParamLength: 2048,
      ignoreTrailingSlash: true,
      querystringParser: (text) => parseQueryString(text),
    },
    // Headers have to arrive soon (headersTimeout); a feed of any size may take long.
    requestTimeout: 15 * 60_000,
    // `refuseWhileStopping` answers, in the shape of every failure.
    return503OnClosing: false,
    // Longer than the idle time of the usual balancers, so that none reuses a connection that was just closed.
    keepAliveTimeout: 75_000,
    http: { headersTimeout: 15_000, maxHeaderSize: 64 * 1024 },
    frameworkErrors,
    clientErrorHandler,
  };
}

/** Answers what the router refuses before any hook runs. */
function frameworkErrors(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  replyWithError(error, request, reply);
}

/** Answers what isn't HTTP, in the shape of every other failure. */
function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code ?? ''] ?? 400;
  const id = requestId({ headers: {} });
  const body = JSON.stringify(errorBody(toApiError({ status }), id));
  socket.end(
    `HTTP/1.1 ${status} Error\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
