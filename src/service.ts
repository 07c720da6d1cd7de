import { type INestApplication, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { AppModule } from './app.module';
import { banner, workerBanner } from './banner';
import { type Settings, SettingsError } from './config/settings';
import { DemoService } from './demo/demo.service';
import type { EarlyStart } from './early-start';
import { createApp } from './create-app';
import type { EndOnSignals } from './end-on-signals';
import { HealthServer } from './http/health/health-server';
import { loggerOptions, nestLogger } from './http/logger';
import { Metrics } from './http/health/metrics';
import { countSpans } from './http/health/span-metrics';
import { Readiness } from './http/health/readiness';
import { Shutdown } from './http/shutdown/shutdown';
import { WarmUp } from './search/warm-up';
import { ConsoleLinks } from './stores/access/console/console-links';
import type { Tracing } from './tracing/tracing';

/** Connections that may wait to be accepted: of a sudden crowd, the system holds up those beyond it for seconds. It has a limit of its own. */
const BACKLOG = 4096;

/** Starts the service and says where to look. A taken port or a folder that can't be written ends it with one line. */
export async function runService(
  settings: Settings,
  { started, signals }: { started: EarlyStart | undefined; signals: EndOnSignals },
): Promise<void> {
  try {
    const tracing = startTracing(settings);
    await (settings.role === 'worker'
      ? runWorker(settings, { signals, tracing })
      : runWeb(settings, { signals, started, tracing }));
  } catch (error) {
    // What was under way when the process was asked to end need not succeed.
    if (signals.isEnding) return;
    process.stderr.write(`vitrine did not start: ${startProblem(error)}\n`);
    process.exit(1);
  }
}

/** Loaded only where traces are asked for. */
function startTracing({ tracing, role }: Settings): Tracing | null {
  if (!tracing) return null;
  const { Tracing: Traces } = require('./tracing/tracing') as typeof import('./tracing/tracing');
  const logger = new Logger('tracing');
  return Traces.start(tracing, { role, warn: (line) => logger.warn(line) });
}

interface Running {
  signals: EndOnSignals;
  tracing: Tracing | null;
}

async function runWeb(
  settings: Settings,
  { signals, started, tracing }: Running & { started: EarlyStart | undefined },
): Promise<void> {
  const root = AppModule.forRoot({ settings, ...(started ? { started } : {}) });
  const app = await createApp(root, { settings, ...(tracing ? { tracing } : {}) });
  const shutdown = app.get(Shutdown);
  signals.closing(async () => {
    await shutdown.leave();
    await app.close();
    await tracing?.stop();
  }, settings.drainMs);
  // What the embedded engine needs is in its own process, and read before this.
  if (settings.storage === 'production') await app.get(WarmUp, { strict: false }).run();
  await app.listen({ port: settings.port, host: settings.host, backlog: BACKLOG });
  const demo = settings.demo ? await app.get(DemoService).ensure(shutdown.signal) : null;
  process.stdout.write(banner(settings, await consoleLink(app, settings), demo));
}

/** Null in production, whose logs are read by more people than may sign in; and on a full disk, which holds up no start. */
async function consoleLink(app: INestApplication, { storage }: Settings): Promise<string | null> {
  if (storage !== 'embedded') return null;
  try {
    return (await app.get(ConsoleLinks, { strict: false }).create({ role: 'ops' })).url;
  } catch (error) {
    new Logger('console').warn(`No link to the console was made: ${(error as Error).message}`);
    return null;
  }
}

/** Every capability, for its jobs, and none of its routes. */
async function runWorker(settings: Settings, { signals, tracing }: Running): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot({ settings }), {
    logger: nestLogger(pino(loggerOptions(settings.logLevel))),
    abortOnError: false,
  });
  const health = new HealthServer(app.get(Readiness), app.get(Metrics));
  if (tracing) countSpans(app.get(Metrics), tracing);
  signals.closing(async () => {
    health.close();
    await app.close();
    await tracing?.stop();
  });
  const { workerPort, host } = settings;
  const port = workerPort === null ? null : await health.listen(workerPort, host);
  process.stdout.write(workerBanner(port === null ? null : `http://${host}:${port}`));
}

function startProblem(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'EADDRINUSE') return `${message}. Another process listens there; set PORT to a free one`;
  if (code === 'EACCES') return `${message}. PORT below 1024 needs rights, and DATA_DIR has to be writable`;
  return message ?? String(error);
}
