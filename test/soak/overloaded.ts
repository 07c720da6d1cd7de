import { percentile } from '../../bench/statistics';
import type { RealGround } from '../attack/real-ground';
import { generate } from './generator';
import type { OverloadResult, OverloadTask } from './soak-task';

const WARM_MS = 20_000;
const TRIED_MS = 15_000;
const CONNECTIONS = [4, 8, 16, 32];
const TIMES = 3;
const LEAST_SHARE = 0.8;
const MOST_REFUSAL_MS = 50;
const MINUTE = 60_000;

interface OverloadOptions {
  minutes: number;
  say(line: string): void;
}

/** Whether three times what can be answered leaves what can be answered, and refuses the rest at once. */
export async function overloaded(ground: RealGround, { minutes, say }: OverloadOptions): Promise<boolean> {
  const { store, searches } = ground.shop;
  const run = async (load: OverloadTask['load'], ms: number): Promise<OverloadResult> => {
    const results: OverloadResult[] = [];
    const task: OverloadTask = { port: ground.service.port, keys: store.keys, searches, ms, load };
    await generate<OverloadResult>('overload', task, (result) => void results.push(result));
    const [result] = results;
    if (!result) throw new Error('The load generator told nothing');
    return result;
  };
  await run({ connections: 8 }, WARM_MS);
  let best = 0;
  for (const connections of CONNECTIONS) {
    const { answered, seconds, latencies } = await run({ connections }, TRIED_MS);
    const goodput = answered / seconds;
    best = Math.max(best, goodput);
    say(
      `${connections} connections: ${goodput.toFixed(0)} searches a second, p95 ${percentile(latencies, 0.95).toFixed(0)} ms`,
    );
  }
  const perSecond = Math.round(TIMES * best);
  const memory = ground.service.memory()?.now ?? Number.NaN;
  const result = await run({ perSecond }, minutes * MINUTE);
  const after = ground.service.memory()?.now ?? Number.NaN;
  say(
    `${perSecond} searches a second for ${minutes} minutes: memory ${memory.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`,
  );
  return judged(result, best, say);
}

function judged(result: OverloadResult, best: number, say: (line: string) => void): boolean {
  const { answered, seconds, latencies, refusals, blunt, lost } = result;
  const goodput = answered / seconds;
  const verdict = (met: boolean, line: string): boolean => {
    say(`${met ? 'ok     ' : 'MISSED '} ${line}`);
    return met;
  };
  const share = (goodput / best) * 100;
  const missing = Object.entries(lost).map(([why, count]) => `${count} x ${why}`);
  const at = (part: number): string => percentile(refusals, part).toFixed(0);
  const refused = refusals.length === 0 || percentile(refusals, 0.95) < MOST_REFUSAL_MS;
  return [
    verdict(
      goodput >= LEAST_SHARE * best,
      `answered: ${goodput.toFixed(0)}/s, ${share.toFixed(0)}% of the best, p95 ${percentile(latencies, 0.95).toFixed(0)} ms (target: ${100 * LEAST_SHARE}%)`,
    ),
    verdict(
      refused,
      `refused: ${refusals.length}, p50 / p95 / p99 ${at(0.5)} / ${at(0.95)} / ${at(0.99)} ms (target: p95 under ${MOST_REFUSAL_MS} ms)`,
    ),
    verdict(blunt === 0, `refused without Retry-After: ${blunt} (target: 0)`),
    verdict(missing.length === 0, `neither answered nor refused: ${missing.join(', ') || 0} (target: 0)`),
  ].every(Boolean);
}
