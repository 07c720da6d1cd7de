import { setTimeout as sleep } from 'node:timers/promises';
import { LearningService } from '../../src/behaviour/learning/learning.service';
import { StoresService } from '../../src/stores/stores.service';
import type { AdminRole } from '../../src/stores/access/admin-tokens';
import { type Mode, type Place, productionMode } from '../support/modes';
import { patient, type Send, StoreClient } from '../support/store-client';
import { startWholeApp, type WholeApp } from '../support/whole-app';
import { BACKEND_ADDRESS } from './addresses';
import type { Ground, Shop } from './attack';
import { BaseGround } from './base-ground';
import { FaultyProxy } from './faulty-proxy';
import { stockedShop } from './stocked-shop';
import { storedBytes } from './stored-bytes';

const PRODUCTS = 600;
/** Longer than any estimate is kept. */
const LATER_MS = 600_000;
const REFRESHED_MS = 1500;

/** The whole service in this process. A proxy in front says who is calling. */
export class AppGround extends BaseGround {
  override readonly flood: Ground['flood'] = { ms: 30_000, requests: 40 };
  private stocked: Shop | null = null;

  private constructor(
    override readonly mode: Mode['name'],
    private readonly whole: WholeApp,
    private readonly place: Place,
    protected override readonly proxy: FaultyProxy | null,
  ) {
    super();
  }

  static async open(mode: Mode, options: { failing?: true } = {}): Promise<AppGround> {
    const first = mode.place();
    const { ELASTICSEARCH_URL: url, REDIS_URL: redis = '' } = first.env;
    const proxy = options.failing && url !== undefined ? await FaultyProxy.start(url) : null;
    const place = proxy ? productionMode({ elasticsearch: proxy.url, redis }).place() : first;
    const whole = await startWholeApp(mode, { place, ...(proxy ? { logLevel: 'info' } : {}) });
    const ground = new AppGround(mode.name, whole, place, proxy);
    const store = await StoreClient.create(patient(ground.from(BACKEND_ADDRESS)), ground.operator(), {
      apiKey: 'shop',
    });
    ground.stocked = await stockedShop(store, PRODUCTS);
    return ground;
  }

  override get shop(): Shop {
    if (!this.stocked) throw new Error('The shop is not open');
    return this.stocked;
  }

  override from(address: string): Send {
    return (call) => this.whole.send({ ...call, headers: { ...call.headers, 'x-forwarded-for': address } });
  }

  override async token(role: AdminRole, apiKey: string): Promise<string> {
    return this.whole.token(role, apiKey);
  }

  override async settle(store: StoreClient): Promise<void> {
    const { app, clock } = this.whole;
    // What was just written is found by searches of Elasticsearch a second later.
    if (this.mode === 'production') await sleep(REFRESHED_MS);
    clock.advance(LATER_MS);
    const own = app.get(StoresService, { strict: false }).byApiKey(store.keys.apiKey);
    await app.get(LearningService, { strict: false }).run(own?.id ?? '', { force: true });
  }

  override stored(): Promise<number> {
    return storedBytes(this.place);
  }

  override rows(): Promise<string> {
    return this.place.rows();
  }

  override log(): string {
    return this.whole.log();
  }

  async close(): Promise<void> {
    await this.whole.close();
    await this.place.remove();
    this.proxy?.close();
  }

  protected override operator(): string {
    return this.whole.token();
  }
}
