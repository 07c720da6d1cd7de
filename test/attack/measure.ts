import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '../support/modes';
import { SHOPPER_ADDRESS } from './addresses';
import { type Assault, type Attack, finding, type Finding } from './attack';
import { type Judged, judgeAll } from './measured';
import { NormalShopper } from './normal-shopper';
import { RealGround } from './real-ground';
import type { Felt } from './shopper-task';
import { SHOPPERS } from './stocked-shop';

const PRODUCTS = { small: 400, large: 4000 };
/** Elasticsearch's compilers take longer. */
const WARM_MS = { embedded: 6000, production: 30_000 };
const REST_MS = 10_000;
const LEAST_DURING_MS = 5000;
const AFTER_MS = 6000;
/** An attack that takes longer is broken off. */
const LONGEST_STRIKE_MS = 240_000;
/** How long memory may take to come down. */
const LONGEST_REST_MS = 30_000;
const MOST_MEMORY_MIB = 100;
const PER_SECOND = 15;

function shopper({ shop, service }: RealGround): NormalShopper {
  return NormalShopper.start({
    port: service.port,
    address: SHOPPER_ADDRESS,
    origin: shop.store.keys.origin,
    searches: shop.searches,
    products: Array.from({ length: shop.products }, (_, number) => `p${number}`),
    users: SHOPPERS,
    perSecond: PER_SECOND,
  });
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200);

async function attempt<T>(what: string, work: () => Promise<T>, otherwise: (failed: Finding) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return otherwise(finding(what, message(error), 'no error', false));
  }
}

/** One attack, on a service of its own, beside a normal shopper. */
export async function measure(mode: Mode, attack: Attack, floodMs: number): Promise<Judged> {
  const { shop, failing } = attack;
  const ground = await RealGround.open(mode, { products: PRODUCTS[shop], failing, floodMs });
  try {
    const assault = await attack.begin(ground);
    return judgeAll(await withShopper(ground, attack, assault));
  } finally {
    await ground.close();
  }
}

async function withShopper(
  ground: RealGround,
  attack: Attack,
  assault: Assault,
): Promise<Parameters<typeof judgeAll>[0]> {
  const normal = shopper(ground);
  await sleep(WARM_MS[ground.mode]);
  normal.phase('rest');
  const own = await ground.stored();
  await sleep(REST_MS);
  const memoryBefore = ground.service.memory();
  const before = await ground.stored();
  const shopperBytesPerMs = (before - own) / REST_MS;
  normal.phase('during');
  const started = performance.now();
  const late = sleep(LONGEST_STRIKE_MS, [finding('the attack', 'broken off', 'ends', false)], { ref: false });
  const struck = attempt(
    'the attack',
    async (): Promise<Finding[]> => (await assault.strike(), []),
    (failed) => [failed],
  );
  const findings = await Promise.race([struck, late]);
  const seconds = (performance.now() - started) / 1000;
  await sleep(Math.max(0, LEAST_DURING_MS - seconds * 1000));
  normal.phase('after');
  await sleep(AFTER_MS);
  const { service } = ground;
  const memory = memoryBefore && { rest: memoryBefore.now, after: await rested(ground, memoryBefore.now) };
  const alive = service.running;
  const passed = performance.now() - started;
  const stored = alive ? (await ground.stored()) - before - shopperBytesPerMs * passed : 0;
  const felt = await normal.stop().catch((): Felt | null => null);
  const spent = structuredClone(ground.spent);
  findings.push(
    ...(await attempt(
      'what has come of it',
      () => assault.judge(),
      (failed) => [failed],
    )),
  );
  return { attack, spent, seconds, felt, memory, stored, alive, findings };
}

/** Resident memory once it has come down, or has had the time to. */
async function rested({ service }: RealGround, atRest: number): Promise<number> {
  const until = performance.now() + LONGEST_REST_MS;
  for (;;) {
    const now = service.memory()?.now ?? 0;
    if (now - atRest <= MOST_MEMORY_MIB || performance.now() > until) return now;
    await sleep(500);
  }
}
