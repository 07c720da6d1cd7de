import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '../support/modes';
import { SHOPPER_ADDRESS } from './addresses';
import { type Assault, type Attack, finding, type Finding } from './attack';
import { type Judged, judgeAll } from './measured';
import { NormalShopper } from './normal-shopper';
import { besideNeighbour, machineSeconds, ownSeconds } from './processor';
import { RealGround } from './real-ground';
import type { Felt } from './shopper-task';
import { SHOPPERS } from './stocked-shop';

const PRODUCTS = { small: 400, large: 4000 };
/** Elasticsearch's compilers take longer. */
const WARM_MS = { embedded: 6000, production: 30_000 };
const REST_MS = 10_000;
const LEAST_DURING_MS = 5000;
const AFTER_MS = 6000;
const BESIDE_MS = 8000;
const NEIGHBOUR_STARTS_MS = 1000;
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
  const machineAtRest = await sharesOf(machineSeconds, () => sleep(REST_MS));
  const memoryBefore = ground.service.memory();
  const before = await ground.stored();
  const shopperBytesPerMs = (before - own) / REST_MS;
  normal.phase('during');
  const started = performance.now();
  let findings: Finding[] = [];
  const attacker = await sharesOf(ownSeconds, async () => (findings = await struck(assault)));
  await sleep(Math.max(0, LEAST_DURING_MS - attacker.seconds * 1000));
  normal.phase('after');
  await sleep(AFTER_MS);
  const { service } = ground;
  const memory = memoryBefore && { rest: memoryBefore.now, after: await rested(ground, memoryBefore.now) };
  const alive = service.running;
  const passed = performance.now() - started;
  const stored = alive ? (await ground.stored()) - before - shopperBytesPerMs * passed : 0;
  if (alive) await beside(normal, attacker.cores);
  const felt = await normal.stop().catch((): Felt | null => null);
  const spent = structuredClone(ground.spent);
  findings.push(
    ...(await attempt(
      'what has come of it',
      () => assault.judge(),
      (failed) => [failed],
    )),
  );
  const cores = { attacker: attacker.cores, machineAtRest: machineAtRest.cores };
  return { attack, spent, seconds: attacker.seconds, felt, memory, stored, alive, cores, findings };
}

/** How long work took, and how many cores it kept busy meanwhile. */
async function sharesOf(
  cpuSeconds: () => number,
  work: () => Promise<unknown>,
): Promise<{ seconds: number; cores: number }> {
  const [started, before] = [performance.now(), cpuSeconds()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, cores: (cpuSeconds() - before) / seconds };
}

/** What went wrong while the attacker struck. */
function struck(assault: Assault): Promise<Finding[]> {
  const late = sleep(LONGEST_STRIKE_MS, [finding('the attack', 'broken off', 'ends', false)], { ref: false });
  const strike = attempt(
    'the attack',
    async (): Promise<Finding[]> => (await assault.strike(), []),
    (failed) => [failed],
  );
  return Promise.race([strike, late]);
}

/** At rest as far as the service goes, on a machine that is as busy as under the attack. */
function beside(normal: NormalShopper, cores: number): Promise<void> {
  return besideNeighbour(cores, async () => {
    await sleep(NEIGHBOUR_STARTS_MS);
    normal.phase('beside');
    await sleep(BESIDE_MS);
  });
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
