import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../../bench/statistics';
import { type Attack, finding, type Finding, type Ground } from '../attack';
import { Attacker, onConnections } from '../attacker';
import type { StoreClient } from '../../support/store-client';
import { ATTACKER_ADDRESS } from '../addresses';

const LEVELS = [20, 100, 400];
/** Searches are given up after this. Milliseconds. */
const PATIENCE_MS = 1000;
/** Whoever was refused waits before the next. Milliseconds. */
const PAUSE_MS = 500;
/** How often the attacker's own event loop is looked at. Milliseconds. */
const DELAY_MS = 10;
/** In a millisecond. */
const NANOSECONDS = 1e6;
/** A refusal is given at once. Milliseconds. */
const MOST_REFUSAL_MS = 50;
/** Of the most that were answered in a second at any level. */
const LEAST_SHARE = 0.8;

interface Level {
  connections: number;
  /** In a second. */
  goodput: number;
  refusals: number[];
  /** Refusals that don't say when to come again. */
  blunt: number;
  givenUp: number;
  /** Milliseconds that the attacker's own process looks at a reply late, at p95: every time has that in it. */
  ownDelay: number;
}

async function press(ground: Ground, store: StoreClient, connections: number): Promise<Level> {
  const impatient = ground.from(ATTACKER_ADDRESS, PATIENCE_MS);
  const attacker = new Attacker(impatient, { origin: store.keys.origin }, ground.spent);
  const { searches } = ground.shop;
  const level: Level = { connections, goodput: 0, refusals: [], blunt: 0, givenUp: 0, ownDelay: 0 };
  const delay = monitorEventLoopDelay({ resolution: DELAY_MS });
  delay.enable();
  const until = performance.now() + ground.flood.ms;
  let answered = 0;
  await onConnections(connections, async (number) => {
    const path = `${searches[number % searches.length] ?? ''}&userId=crowd-${number}`;
    const since = performance.now();
    const reply = await attacker.call({ path });
    if (reply === null) level.givenUp += 1;
    else if (reply.status === 200) answered += 1;
    else {
      level.refusals.push(performance.now() - since);
      if (reply.headers['retry-after'] === undefined) level.blunt += 1;
      await sleep(PAUSE_MS);
    }
    return performance.now() < until;
  });
  delay.disable();
  level.ownDelay = Math.max(0, delay.percentile(95) / NANOSECONDS - DELAY_MS);
  level.goodput = answered / (ground.flood.ms / 1000);
  return level;
}

function judged(levels: readonly Level[]): Finding[] {
  const best = Math.max(...levels.map(({ goodput }) => goodput));
  return levels.flatMap(({ connections, goodput, refusals, blunt, givenUp, ownDelay }) => {
    const rate = `${goodput.toFixed(0)}/s (${refusals.length} refused, ${givenUp} given up)`;
    const refusal = percentile(refusals, 0.95);
    const enough = goodput >= LEAST_SHARE * best;
    const found = [
      finding(
        `searches answered at ${connections} connections`,
        rate,
        `80% of the best: ${(LEAST_SHARE * best).toFixed(0)}/s`,
        enough,
      ),
    ];
    if (refusals.length === 0) return found;
    const measured = `p95 ${refusal.toFixed(0)} ms, of which up to ${ownDelay.toFixed(0)} ms in the attacker's own process; ${blunt} without Retry-After`;
    const prompt = refusal <= MOST_REFUSAL_MS && blunt === 0;
    return [
      ...found,
      finding(`refusals at ${connections} connections`, measured, `p95 ${MOST_REFUSAL_MS} ms, 0`, prompt),
    ];
  });
}

async function pressing(ground: Ground, store: StoreClient): ReturnType<Attack['begin']> {
  const levels: Level[] = [];
  return {
    strike: async () => {
      // What is answered in a second is compared between levels: with compiled code at each of them.
      await press(ground, store, LEVELS[0] ?? 0);
      for (const connections of LEVELS) levels.push(await press(ground, store, connections));
    },
    judge: async () => judged(levels),
  };
}

/** More searches than can be answered, all of them given up by who asked. */
export const overload: Attack = {
  name: 'overload',
  title: '20, 100 and 400 connections that search and give up after a second',
  shop: 'large',
  short: false,
  begin: (ground) => pressing(ground, ground.shop.store),
};

/** The same upon another store of the service. */
export const tenants: Attack = {
  name: 'tenants',
  title: 'the same upon another store than the normal shopper is in',
  shop: 'large',
  short: false,
  async begin(ground) {
    const other = await ground.newStore('tenants');
    await ground.fill(other);
    return pressing(ground, other);
  },
};
