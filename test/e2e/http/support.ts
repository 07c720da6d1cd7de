import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Global, Inject, Module, type OnModuleDestroy, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock } from '../../../src/clock';
import { ConfigModule } from '../../../src/config/config.module';
import { loadSecrets, type Secrets } from '../../../src/config/secrets';
import { loadSettings, type Settings } from '../../../src/config/settings';
import { DocumentsModule } from '../../../src/documents/documents.module';
import { createApp } from '../../../src/http/create-app';
import { HttpModule } from '../../../src/http/http.module';
import { EmbeddedDatabase } from '../../../src/storage/embedded-database';
import { Storage } from '../../../src/storage/storage';
import { compiled } from '../../../src/storage/threads';
import { type AdminRole, signAdminToken } from '../../../src/stores/admin-tokens';
import { StoresModule } from '../../../src/stores/stores.module';
import { StoresService } from '../../../src/stores/stores.service';

/** Stands still until a test moves it. */
export class ManualClock extends Clock {
  time = Date.UTC(2026, 0, 15, 12);

  override now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}

@Global()
@Module({
  providers: [
    {
      provide: Storage,
      useFactory: async (folder: string): Promise<Storage> =>
        Storage.embedded(
          await EmbeddedDatabase.open(
            folder,
            ['documents', 'jobs'].map((name) => compiled(`${name}/adapters/embedded/${name}.procedures`)),
          ),
        ),
      inject: ['folder'],
    },
  ],
  exports: [Storage],
})
class DatabaseModule implements OnModuleDestroy {
  constructor(@Inject(Storage) private readonly storage: Storage) {}

  static at(folder: string): DynamicModule {
    return { module: DatabaseModule, providers: [{ provide: 'folder', useValue: folder }] };
  }

  async onModuleDestroy(): Promise<void> {
    await this.storage.close();
  }
}

export interface TestApp {
  app: NestFastifyApplication;
  clock: ManualClock;
  folder: string;
  settings: Settings;
  secrets: Secrets;
  stores: StoresService;
  /** Everything logged so far. */
  log(): string;
  token(role?: AdminRole, store?: string): string;
  close(): Promise<void>;
}

/** The shared parts of the service with the controllers of a test, on a data folder of its own (or one given). */
export async function startTestApp(
  options: {
    controllers?: Type[];
    imports?: (Type | DynamicModule)[];
    env?: Record<string, string>;
    folder?: string;
  } = {},
): Promise<TestApp> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-'));
  const settings = loadSettings({ DATA_DIR: folder, LOG_LEVEL: 'debug', ...options.env });
  const clock = new ManualClock();
  @Module({
    imports: [
      ConfigModule.forRoot({ settings, clock }),
      DatabaseModule.at(folder),
      DocumentsModule,
      StoresModule,
      HttpModule,
      ...(options.imports ?? []),
    ],
    controllers: options.controllers ?? [],
  })
  class RootModule {}
  const lines: string[] = [];
  const app = await createApp(RootModule, { settings, logStream: { write: (line) => void lines.push(line) } });
  const secrets = loadSecrets(settings);
  return {
    app,
    clock,
    folder,
    settings,
    secrets,
    stores: app.get(StoresService),
    log: () => lines.join(''),
    token: (role = 'ops', store) =>
      signAdminToken(secrets, { role, ...(store ? { store } : {}) }, { now: clock.now(), days: 30 }).token,
    close: async () => {
      await app.close();
      if (!options.folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}
