import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock } from '../../../src/shared/clock';
import { ConfigModule } from '../../../src/config/config.module';
import { loadSecrets, type Secrets } from '../../../src/config/secrets';
import { loadSettings, type Settings } from '../../../src/config/settings';
import { DocumentsModule } from '../../../src/documents/documents.module';
import { createApp } from '../../../src/create-app';
import { HttpModule } from '../../../src/http/http.module';
import { Storage } from '../../../src/storage/storage';
import { type AdminRole, signAdminToken } from '../../../src/stores/access/admin-tokens';
import { StoresModule } from '../../../src/stores/stores.module';
import { StoresService } from '../../../src/stores/stores.service';
import type { Mode, Place } from '../../support/modes';

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
  providers: [{ provide: Storage, useFactory: (place: Place): Promise<Storage> => place.open(), inject: ['place'] }],
  exports: [Storage],
})
class PlaceModule implements OnApplicationShutdown {
  constructor(@Inject(Storage) private readonly storage: Storage) {}

  static at(place: Place): DynamicModule {
    return { module: PlaceModule, providers: [{ provide: 'place', useValue: place }] };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }
}

export interface TestApp {
  app: NestFastifyApplication;
  clock: ManualClock;
  place: Place;
  settings: Settings;
  secrets: Secrets;
  stores: StoresService;
  /** Everything logged so far. */
  log(): string;
  token(role?: AdminRole, store?: string): string;
  close(): Promise<void>;
}

/** The shared parts of the service with the controllers of a test, in a place of its own (or one given). */
export async function startTestApp(
  mode: Mode,
  options: {
    controllers?: Type[];
    imports?: (Type | DynamicModule)[];
    env?: Record<string, string>;
    place?: Place;
    bodyWithinMs?: number;
  } = {},
): Promise<TestApp> {
  const place = options.place ?? mode.place();
  const settings = loadSettings({ ...place.env, LOG_LEVEL: 'debug', ...options.env });
  const clock = new ManualClock();
  @Module({
    imports: [
      ConfigModule.forRoot({ settings, clock }),
      PlaceModule.at(place),
      DocumentsModule,
      StoresModule,
      HttpModule,
      ...(options.imports ?? []),
    ],
    controllers: options.controllers ?? [],
  })
  class RootModule {}
  const lines: string[] = [];
  const { bodyWithinMs } = options;
  const app = await createApp(RootModule, {
    settings,
    logStream: { write: (line) => void lines.push(line) },
    ...(bodyWithinMs === undefined ? {} : { bodyWithinMs }),
  });
  const secrets = loadSecrets(settings);
  return {
    app,
    clock,
    place,
    settings,
    secrets,
    stores: app.get(StoresService),
    log: () => lines.join(''),
    token: (role = 'ops', store) =>
      signAdminToken(secrets, { role, ...(store ? { store } : {}) }, { now: clock.now(), days: 30 }).token,
    close: async () => {
      await app.close();
      if (!options.place) await place.remove();
    },
  };
}
