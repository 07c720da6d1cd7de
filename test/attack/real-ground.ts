import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../bench/service-process';
import { AppModule } from '../../src/app.module';
import { LearningService } from '../../src/behaviour/learning/learning.service';
import { loadSecrets } from '../../src/config/secrets';
import { loadSettings } from '../../src/config/settings';
import { createApp } from '../../src/create-app';
import { type AdminRole, signAdminToken } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import type { Mode, Place } from '../support/modes';
import { patient, type Send, StoreClient } from '../support/store-client';
import { BACKEND_ADDRESS } from './addresses';
import type { Ground, Shop } from './attack';
import { BaseGround } from './base-ground';
import { FaultyProxy } from './faulty-proxy';
import { Sockets } from './sockets';
import { stockedShop } from './stocked-shop';
import { storedBytes } from './stored-bytes';

/** As docker-compose.yml has it. */
const PRODUCTION = { NODE_OPTIONS: '--max-semi-space-size=32 --v8-pool-size=1' };
const DAYS = 1;

export interface GroundOptions {
  products: number;
  /** Whether its Elasticsearch is to fail on request. */
  failing?: true | undefined;
  floodMs?: number;
}

/** The service as operators run it, as a process of its own on loopback, with a shop in it. */
export class RealGround extends BaseGround {
  private readonly sockets = new Sockets(() => this.service.port);
  private readonly lines: string[] = [];
  private running: ServiceProcess | null = null;
  private stocked: Shop | null = null;

  private constructor(
    override readonly mode: Mode['name'],
    override readonly flood: Ground['flood'],
    private readonly place: Place,
    private readonly folder: string,
    protected override readonly proxy: FaultyProxy | null,
  ) {
    super();
  }

  static async open(mode: Mode, { products, failing, floodMs = 0 }: GroundOptions): Promise<RealGround> {
    const place = mode.place();
    const url = place.env['ELASTICSEARCH_URL'];
    const proxy = failing && url !== undefined ? await FaultyProxy.start(url) : null;
    const folder = place.env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'vitrine-attack-'));
    const flood = { ms: floodMs, requests: Number.MAX_SAFE_INTEGER };
    const ground = new RealGround(mode.name, flood, place, folder, proxy);
    try {
      await ground.start();
      const from = patient(ground.from(BACKEND_ADDRESS));
      const store = await StoreClient.create(from, ground.operator(), { apiKey: 'shop' });
      ground.stocked = await stockedShop(store, products);
      return ground;
    } catch (error) {
      await ground.close();
      throw error;
    }
  }

  get service(): ServiceProcess {
    if (!this.running) throw new Error('The service is not running');
    return this.running;
  }

  override get shop(): Shop {
    if (!this.stocked) throw new Error('The shop is not open');
    return this.stocked;
  }

  override from(address: string, patienceMs?: number): Send {
    return this.sockets.from(address, patienceMs);
  }

  override async token(role: AdminRole, apiKey: string): Promise<string> {
    const args = [join(__dirname, '../../dist/cli.js'), 'token', '--role', role, '--store', apiKey];
    const env = { ...process.env, ...this.env, PUBLIC_URL: `http://127.0.0.1:${this.service.port}` };
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`No token: ${stderr}`);
    return stdout.trim();
  }

  /** Learns in this process while the service is away: when it learns by itself is a matter of minutes. */
  override async settle(store: StoreClient): Promise<void> {
    await this.service.stop();
    const settings = loadSettings({ ...this.env, DEMO: 'off', LOG_LEVEL: 'error' });
    const root = AppModule.forRoot({ settings, started: { storage: this.place.open() } });
    const app = await createApp(root, { settings });
    try {
      const own = app.get(StoresService, { strict: false }).byApiKey(store.keys.apiKey);
      await app.get(LearningService, { strict: false }).run(own?.id ?? '', { force: true });
    } finally {
      await app.close();
    }
    await this.start();
  }

  override stored(): Promise<number> {
    return storedBytes(this.place);
  }

  override rows(): Promise<string> {
    return this.place.rows();
  }

  override log(): string {
    return this.lines.join('');
  }

  async close(): Promise<void> {
    await this.running?.stop();
    this.sockets.close();
    this.proxy?.close();
    await this.place.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  protected override operator(): string {
    const secrets = loadSecrets(loadSettings(this.env));
    return signAdminToken(secrets, { role: 'ops' }, { now: Date.now(), days: DAYS }).token;
  }

  /** Servers that are named for whoever runs this are not the service's, unless its place says so. */
  private get env(): Record<string, string> {
    return { ELASTICSEARCH_URL: '', REDIS_URL: '', ...this.place.env, DATA_DIR: this.folder };
  }

  private async start(): Promise<void> {
    const way = this.proxy ? { ELASTICSEARCH_URL: this.proxy.url } : {};
    const run = this.mode === 'production' ? PRODUCTION : {};
    const settings = { ...this.env, ...run, ...way, LOG_LEVEL: 'info' };
    this.running = await ServiceProcess.start(this.folder, settings, [], (text) => void this.lines.push(text));
  }
}
