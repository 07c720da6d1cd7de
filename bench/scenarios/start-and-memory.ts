import { setTimeout as sleep } from 'node:timers/promises';
import { count, LARGE, milliseconds, row, type Scenario, SMALL } from '../scenario';
import { percentile } from '../statistics';

const LONGEST_START_MS = 1500;
const MOST_MEMORY_MIB = 400;
const STARTS = 3;

/** From spawn to 200 of /health/ready on a filled data folder, and to the first search with hits. */
export const start: Scenario = {
  name: 'start',
  sizes: [SMALL, LARGE],
  async run(shop) {
    const ready: number[] = [];
    const searched: number[] = [];
    for (let round = 0; round < STARTS; round++) {
      const service = await shop.restart();
      const began = performance.now();
      while ((await shop.found('resultsPerPage=1')) < shop.size) await sleep(5);
      ready.push(service.startMs);
      searched.push(service.startMs + performance.now() - began);
    }
    const median = percentile(ready, 0.5);
    return [
      row(
        `Start with ${count(shop.size)} products and ${count(shop.eventsLoaded)} events, spawn to ready`,
        `${milliseconds(median)} (first search ${milliseconds(percentile(searched, 0.5))}; medians of ${STARTS})`,
        { target: `< ${count(LONGEST_START_MS)} ms`, met: median < LONGEST_START_MS },
      ),
    ];
  },
};

/** Measured before any restart: what loading left behind is part of it. */
export const memory: Scenario = {
  name: 'memory',
  sizes: [SMALL, LARGE],
  async run(shop) {
    const memoryNow = shop.service.memory();
    const what = `Memory with ${count(shop.size)} products, after loading and searches (VmRSS)`;
    if (!memoryNow) return [row(what, 'unknown: this system has no /proc')];
    const goal = { target: `< ${MOST_MEMORY_MIB} MiB`, met: memoryNow.now < MOST_MEMORY_MIB };
    const measured = `${count(memoryNow.now)} MiB (peak ${count(memoryNow.peak)} MiB)`;
    return [shop.size === LARGE ? row(what, measured, goal) : row(what, measured)];
  },
};
