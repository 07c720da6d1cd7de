import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../src/app.module';
import { LearningOnCatalog } from '../../src/behaviour/learning/learning-on-catalog';
import { Clock } from '../../src/shared/clock';
import { loadSecrets } from '../../src/config/secrets';
import { loadSettings } from '../../src/config/settings';
import { createApp } from '../../src/create-app';
import { type AdminRole, signAdminToken } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import type { Mode, Place } from './modes';
import { strictly } from './replies/strict-reader';
import { addressOf, type Call, jsonOf, type Json, packed, type Reply, type Send, StoreClient } from './store-client';

/** Stands still until a test moves it. */
export class StandingClock extends Clock {
  time = Date.UTC(2026, 0, 15, 12);

  override now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}

export interface WholeApp {
  app: NestFastifyApplication;
  clock: StandingClock;
  send: Send;
  token(role?: AdminRole, store?: string): string;
  store(apiKey: string, fields?: Json): Promise<StoreClient>;
  /** The secrets everything is signed with. */
  secrets: readonly string[];
  /** Everything logged so far, or since it was forgotten. */
  log(): string;
  forgetLog(): void;
  /** All that is stored, as text. */
  rows(): Promise<string>;
  close(): Promise<void>;
}

/** The whole service in this process, every capability, in a place of its own (or one given). */
export async function startWholeApp(
  mode: Mode,
  options: {
    logLevel?: string;
    place?: Place;
    /** Shoppers' requests have no more time than in service, for tests of load. */
    inASecond?: boolean;
    env?: Record<string, string>;
    /** A store learns its catalog by itself, at some moment after a feed: then rankings move, which a test may not expect. */
    learnsCatalogs?: boolean;
  } = {},
): Promise<WholeApp> {
  const place = options.place ?? mode.place();
  const { logLevel = 'error', env = {}, inASecond = false } = options;
  const settings = loadSettings({ ...place.env, DEMO: 'off', LOG_LEVEL: logLevel, TRUST_PROXY: '1', ...env });
  const clock = new StandingClock();
  const lines: string[] = [];
  const logStream = { write: (line: string): void => void lines.push(line) };
  const root = AppModule.forRoot({ settings, clock, started: { storage: place.open({ inASecond }) } });
  const app = await createApp(root, { settings, logStream });
  if (!options.learnsCatalogs) await app.get(LearningOnCatalog, { strict: false }).onApplicationShutdown();
  const secrets = loadSecrets(settings);
  const send: Send = strictly(async (call) => {
    const reply = await inject(app, call);
    // A fault of ours says nothing to its caller; a failing test should.
    return reply.status === 500 ? { ...reply, text: `${reply.text}\n${lines.slice(-3).join('')}` } : reply;
  });
  const token = (role: AdminRole = 'ops', store?: string): string => {
    const storeId = store === undefined ? undefined : app.get(StoresService, { strict: false }).byApiKey(store)?.id;
    const bound = store === undefined ? {} : { store, ...(storeId === undefined ? {} : { storeId }) };
    return signAdminToken(secrets, { role, ...bound }, { now: clock.now(), days: 3650 }).token;
  };
  return {
    app,
    clock,
    send,
    token,
    secrets: [...secrets.adminSecret, ...secrets.linkSecret],
    log: () => lines.join(''),
    rows: () => place.rows(),
    forgetLog: () => void lines.splice(0),
    store: (apiKey, fields = {}) => StoreClient.create(send, token(), { apiKey, ...fields }),
    close: async () => {
      await app.close();
      if (!options.place) await place.remove();
    },
  };
}

async function inject(app: NestFastifyApplication, call: Call): Promise<Reply> {
  const { headers, payload } = packed(call);
  const reply = await app.inject({
    method: (call.method ?? 'GET') as 'GET',
    url: addressOf(call),
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, json: jsonOf(reply.body) };
}
