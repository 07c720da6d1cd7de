import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../data/chance';
import { generateLoad } from '../load/generate-load';
import type { Question } from '../load/tasks';
import { count, percentiles, row, type Scenario, SMALL } from '../scenario';
import type { BenchShop } from '../shop';
import { percentileRatio } from '../statistics';

const MOST_RATIO = 1.05;
/** Searches between two switches of the log. */
const A_BLOCK = 250;

/** Of an index. */
interface StoreSize {
  primaries: { store: { size_in_bytes: number } };
}

/** Searches with the log beside the same ones without it, in blocks, and what the log takes on disk. */
export const searchLog: Scenario = {
  name: 'search-log',
  sizes: [SMALL],
  async run(shop, { quick }) {
    const chance = new Chance(shop.size + 9);
    const { port, headers } = shop.target;
    const draw = (): Question[][] =>
      Array.from({ length: A_BLOCK }, () => [
        { port, requests: [{ method: 'GET', path: shop.search(chance).personal, headers }] },
      ]);
    await generateLoad({ kind: 'rounds', rounds: draw(), seed: 91 });
    const latencies: { on: number[]; off: number[] } = { on: [], off: [] };
    const before = await diskOf(shop);
    for (let block = 0; block < (quick ? 4 : 12); block += 1) {
      const rounds = draw();
      // Each is first as often as the other.
      for (const way of block % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        await log(shop, way === 'on');
        const { ways } = await generateLoad({ kind: 'rounds', rounds, seed: 92 });
        latencies[way].push(...(ways[0] ?? []));
      }
    }
    await log(shop, true);
    const after = await diskOf(shop);
    const ratio = percentileRatio(latencies.on, latencies.off, { share: 0.95 });
    const searches = `${count(latencies.on.length)} searches`;
    const bytes = (after.bytes - before.bytes) / (after.written - before.written);
    return [
      row('Search with the search log, p50 / p95 / p99', percentiles(latencies.on, 0.5, 0.95, 0.99)),
      row('Search without it, p50 / p95 / p99', percentiles(latencies.off, 0.5, 0.95, 0.99)),
      row(
        `Search log : none at p95 (${searches} each)`,
        `${ratio.value.toFixed(3)} (95% interval ${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)})`,
        { target: `<= ${MOST_RATIO}`, met: ratio.value <= MOST_RATIO },
      ),
      row('Search log on disk', `${count(bytes)} bytes a search (${count(after.written - before.written)} searches)`),
    ];
  },
};

/** Switches it, once what was noted until then is written. */
async function log(shop: BenchShop, isOn: boolean): Promise<void> {
  await shop.admin('PATCH', '/admin/stores/bench', { settings: { searchLog: { sample: isOn ? 1 : 0 } } });
  await untilWritten(shop);
}

async function untilWritten(shop: BenchShop): Promise<number> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${shop.service.port}/metrics`)).text();
    const of = (name: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    if (of('search_log_waiting') === 0) return of('search_log_notes_total{kind="written"}');
    await sleep(50);
  }
}

/** Of the whole database, as a backup has it, or of the indices of the log. */
async function diskOf(shop: BenchShop): Promise<{ bytes: number; written: number }> {
  const written = await untilWritten(shop);
  const { elasticsearchUrl, env } = shop.storage;
  if (elasticsearchUrl === null) return { bytes: backedUp(shop), written };
  const indices = `${elasticsearchUrl}/${env['INDEX_PREFIX'] ?? 'vitrine'}-searches-*`;
  await fetch(`${indices}/_flush?force=true&wait_if_ongoing=true`, { method: 'POST' });
  const stats = (await (await fetch(`${indices}/_stats/store`)).json()) as { indices: Record<string, StoreSize> };
  const sizes = Object.values(stats.indices).map(({ primaries }) => primaries.store.size_in_bytes);
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), written };
}

function backedUp(shop: BenchShop): number {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-backup-'));
  try {
    shop.service.command('backup', join(folder, 'data'));
    return statSync(join(folder, 'data', 'vitrine.db')).size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
