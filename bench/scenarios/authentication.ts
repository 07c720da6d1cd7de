import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module';
import { loadSettings } from '../../src/config/settings';
import { SearchController } from '../../src/search/search.controller';
import { StoreAccessGuard } from '../../src/stores/access/store-access';
import { StoresService } from '../../src/stores/stores.service';
import { Chance } from '../data/chance';
import { count, milliseconds, row, type Scenario, SMALL } from '../scenario';
import { percentile } from '../statistics';

const MOST_MS = 0.3;
const STORES = 200;

interface Caller {
  headers: Record<string, string>;
}

/**
 * What authentication adds to a search: the time of the guard that stands before it, in a whole service in this process, of calls of
 * many stores. Over a socket it would be lost in what a search takes.
 */
export const authentication: Scenario = {
  name: 'authentication',
  sizes: [SMALL],
  async run(shop, { quick }) {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
    const settings = loadSettings({
      ...shop.storage.env,
      DATA_DIR: folder,
      INDEX_PREFIX: 'authentication',
      DEMO: 'off',
    });
    const app = await NestFactory.createApplicationContext(AppModule.forRoot({ settings }), { logger: ['error'] });
    try {
      const callers = await makeStores(app.get(StoresService));
      const guard = app.get(StoreAccessGuard);
      const calls = quick ? 5000 : 30_000;
      const rows = [];
      for (const [what, of] of Object.entries(callers)) {
        await time(guard, of, calls / 5);
        const latencies = await time(guard, of, calls);
        const [median, late] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
        rows.push(
          row(
            `Authentication of a search by ${what}, ${count(STORES)} stores, p50 / p99`,
            `${milliseconds(median)} / ${milliseconds(late)} (${count(calls)} calls)`,
            { target: `p50 < ${MOST_MS} ms`, met: median < MOST_MS },
          ),
        );
      }
      return rows;
    } finally {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function makeStores(stores: StoresService): Promise<Record<string, Caller[]>> {
  const keys: Caller[] = [];
  const origins: Caller[] = [];
  for (let number = 0; number < STORES; number++) {
    const apiKey = `store-${number}`;
    const { secretKey } = await stores.create({ apiKey, name: apiKey, origins: [`.${apiKey}.example`] });
    keys.push({ headers: { 'x-api-key': apiKey, 'x-secret-key': secretKey } });
    origins.push({ headers: { origin: `https://www.${apiKey}.example` } });
  }
  return { keys, 'its Origin': origins };
}

async function time(guard: StoreAccessGuard, callers: readonly Caller[], calls: number): Promise<number[]> {
  const chance = new Chance(calls);
  const latencies: number[] = [];
  for (let call = 0; call < calls; call++) {
    const request = {
      ...chance.of(callers),
      query: { terms: 'x' },
      body: undefined,
      ip: `192.0.2.${chance.below(250)}`,
    };
    const context = {
      switchToHttp: () => ({ getRequest: () => request }),
      getHandler: () => SearchController.prototype.queries,
      getClass: () => SearchController,
    } as unknown as ExecutionContext;
    const started = performance.now();
    await guard.canActivate(context);
    latencies.push(performance.now() - started);
  }
  return latencies;
}
