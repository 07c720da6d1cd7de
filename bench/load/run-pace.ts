import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection';
import { requestSource } from './requests';
import type { LoadTask } from './tasks';

/** A request that starts this much after it was due had no free connection. */
const LATE_MS = 50;

/** Open loop: a slow reply doesn't slow the requests after it, so a stall shows in every request it kept waiting. */
export async function runPace(task: Extract<LoadTask, { kind: 'pace' }>) {
  const { target, connections, perSecond, ms } = task;
  const next = requestSource(task.requests);
  const free = Array.from({ length: connections }, () => new Connection(target.port));
  const queue: number[] = [];
  const latencies: number[] = [];
  let [failures, late] = [0, 0];
  const serve = async (connection: Connection, due: number): Promise<void> => {
    if (performance.now() - due > LATE_MS) late++;
    const request = next();
    const { status } = await connection.send({ ...request, headers: { ...target.headers, ...request.headers } });
    if (status < 200 || status >= 300) failures++;
    else latencies.push(performance.now() - due);
    const waiting = queue.shift();
    if (waiting === undefined) free.push(connection);
    else await serve(connection, waiting);
  };
  const running: Promise<void>[] = [];
  const started = performance.now();
  const count = Math.floor((perSecond * ms) / 1000);
  for (let sent = 0; sent < count; sent++) {
    const due = started + (sent * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait);
    // By turns: one that is never used would be closed as idle.
    const connection = free.shift();
    if (connection) running.push(serve(connection, due));
    else queue.push(due);
  }
  await Promise.all(running);
  for (const connection of free) connection.close();
  return { latencies, failures, late };
}
