import { percentile } from '../../bench/statistics';
import type { RealGround } from '../attack/real-ground';
import { must } from '../support/store-client';
import { generate } from './generator';
import { slopeOf } from './slope';
import type { SoakMinute, SoakTask } from './soak-task';

/** Of the value, in half an hour, by least squares over the second half of a run. */
const MOST_GROWTH = 0.05;
const HALF_HOUR = 30;
const MEBI = 2 ** 20;
const MINUTE = 60_000;

interface Sample {
  /** Minutes from the start. */
  at: number;
  /** MiB. */
  memory: number;
  stored: number;
}

const milliseconds = (values: readonly number[], share: number): string =>
  values.length === 0 ? '-' : `${percentile(values, share).toFixed(1)} ms`;

interface SoakOptions {
  minutes: number;
  perSecond: number;
  say(line: string): void;
}

/** Whether everything ended flat, and nothing failed. */
export async function soaked(ground: RealGround, { minutes, perSecond, say }: SoakOptions): Promise<boolean> {
  const { store, searches, products } = ground.shop;
  const retention = { eventsDays: 1, searchesDays: 1, clicksDays: 2 };
  must(await store.admin({ method: 'PATCH', path: '', body: { settings: { retention } } }), 200);
  const samples: Sample[] = [];
  const all: SoakMinute = { searches: [], events: [], others: [], failures: {}, requests: 0 };
  const sample = async (minute: SoakMinute): Promise<void> => {
    add(all, minute);
    // What was left at the end is no minute.
    if (minute.requests < perSecond) return;
    const at = samples.length + 1;
    const stored = (await ground.stored()) / MEBI;
    const memory = ground.service.memory()?.now ?? Number.NaN;
    samples.push({ at, memory, stored });
    const failed = Object.values(minute.failures).reduce((sum, count) => sum + count, 0);
    const times = `searches p95 ${milliseconds(minute.searches, 0.95)}, events ${milliseconds(minute.events, 0.95)}`;
    say(
      `${at} min: memory ${memory.toFixed(0)} MiB, stored ${stored.toFixed(1)} MiB, ${minute.requests} requests, ${times}, ${failed} failed`,
    );
  };
  const task: SoakTask = {
    port: ground.service.port,
    keys: store.keys,
    searches,
    products,
    perSecond,
    ms: minutes * MINUTE,
  };
  let sampled: Promise<void> = Promise.resolve();
  await generate<SoakMinute>('mixed-load', task, (minute) => {
    sampled = sampled.then(() => sample(minute));
  });
  await sampled;
  return judged(samples, all, say);
}

function add(all: SoakMinute, minute: SoakMinute): void {
  for (const kind of ['searches', 'events', 'others'] as const) for (const ms of minute[kind]) all[kind].push(ms);
  for (const [why, count] of Object.entries(minute.failures)) all.failures[why] = (all.failures[why] ?? 0) + count;
  all.requests += minute.requests;
}

function judged(samples: readonly Sample[], all: SoakMinute, say: (line: string) => void): boolean {
  const half = samples.slice(Math.floor(samples.length / 2));
  const flat = (['memory', 'stored'] as const).map((what) => {
    const points = half.map((sample) => ({ at: sample.at, value: sample[what] }));
    const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length;
    const grown = slopeOf(points) * HALF_HOUR;
    const met = grown < MOST_GROWTH * mean;
    const share = ((100 * grown) / mean).toFixed(1);
    say(
      `${met ? 'ok     ' : 'MISSED '} ${what}: slope ${grown.toFixed(2)} MiB in 30 minutes, ${share}% of ${mean.toFixed(0)} MiB (target: under ${100 * MOST_GROWTH}%)`,
    );
    return met;
  });
  const failed = Object.entries(all.failures).map(([why, count]) => `${count} x ${why}`);
  say(
    `${failed.length === 0 ? 'ok     ' : 'MISSED '} failed: ${failed.join(', ') || 0} of ${all.requests} requests (target: 0)`,
  );
  const p95s = (['searches', 'events', 'others'] as const).map((kind) => `${kind} ${milliseconds(all[kind], 0.95)}`);
  say(`p95: ${p95s.join(', ')}`);
  return failed.length === 0 && flat.every(Boolean);
}
