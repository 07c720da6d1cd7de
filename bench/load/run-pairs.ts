import { Chance } from '../data/chance';
import { Connection, expectSuccess } from './connection';
import type { LoadTask } from './tasks';

export async function runPairs({ target, pairs, seed }: Extract<LoadTask, { kind: 'pairs' }>) {
  const connection = new Connection(target.port);
  const chance = new Chance(seed);
  const timed = async (path: string): Promise<number> => {
    const started = performance.now();
    const reply = await connection.send({ method: 'GET', path, headers: target.headers });
    const elapsed = performance.now() - started;
    expectSuccess(reply, path);
    return elapsed;
  };
  const latencies: number[] = [];
  const others: number[] = [];
  for (const { neutral, personal } of pairs) {
    if (chance.next() < 0.5) {
      latencies.push(await timed(neutral));
      others.push(await timed(personal));
    } else {
      others.push(await timed(personal));
      latencies.push(await timed(neutral));
    }
  }
  connection.close();
  return { latencies, others };
}
