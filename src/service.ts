import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { AppModule } from './app.module';
import { banner, workerBanner } from './banner';
import { type Settings, SettingsError } from './config/settings';
import { DemoService } from './demo/demo.service';
import type { EarlyStart } from './early-start';
import { createApp } from './create-app';
import { HealthServer } from './http/health/health-server';
import { loggerOptions, nestLogger } from './http/logger';
import { Metrics } from './http/health/metrics';
import { Readiness } from './http/health/readiness';

/** Starts the service and says where to look. A taken port or a folder that can't be written ends it with one line. */
export async function runService(settings: Settings, started: EarlyStart | undefined): Promise<void> {
  try {
    await (settings.role === 'worker' ? runWorker(settings) : runWeb(settings, started));
  } catch (error) {
    process.stderr.write(`vitrine did not start: ${startProblem(error)}\n`);
    process.exit(1);
  }
}

async function runWeb(settings: Settings, started: EarlyStart | undefined): Promise<void> {
  const app = await createApp(AppModule.forRoot({ settings, ...(started ? { started } : {}) }), { settings });
  stopOnSignals(() => app.close());
  await app.listen(settings.port, settings.host);
  const demo = settings.demo ? await app.get(DemoService).ensure() : null;
  process.stdout.write(banner(settings, demo));
}

/** Every capability, for its jobs, and none of its routes. */
async function runWorker(settings: Settings): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot({ settings }), {
    logger: nestLogger(pino(loggerOptions(settings.logLevel))),
    abortOnError: false,
  });
  const health = new HealthServer(app.get(Readiness), app.get(Metrics));
  stopOnSignals(() => {
    health.close();
    return app.close();
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

/** A first signal lets requests in flight finish and hands jobs back; a second one ends the process at once. */
function stopOnSignals(close: () => Promise<unknown>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    void close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
