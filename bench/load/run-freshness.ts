import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, expectSuccess } from './connection';
import type { LoadTask } from './tasks';

const GIVE_UP_MS = 2000;
/** Between trials, so that "at rest" is. */
const PAUSE_MS = 10;

interface Answer {
  products: { id: string }[];
}

export async function runFreshness({ target, trials }: Extract<LoadTask, { kind: 'freshness' }>) {
  const connection = new Connection(target.port);
  const order = async (path: string): Promise<string> => {
    const reply = expectSuccess(await connection.send({ method: 'GET', path, headers: target.headers }), path);
    return (JSON.parse(reply.body) as Answer).products.map(({ id }) => id).join(' ');
  };
  const latencies: number[] = [];
  const others: number[] = [];
  let late = 0;
  for (const { search, event } of trials) {
    const before = await order(search);
    await sleep(PAUSE_MS);
    const sent = performance.now();
    expectSuccess(await connection.send(event), event.path);
    const accepted = performance.now();
    let changed = false;
    while (!changed && performance.now() - sent < GIVE_UP_MS) changed = (await order(search)) !== before;
    if (!changed) {
      late++;
      continue;
    }
    latencies.push(performance.now() - sent);
    others.push(accepted - sent);
  }
  connection.close();
  return { latencies, others, late };
}
