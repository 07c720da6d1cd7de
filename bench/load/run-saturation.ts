import { Connection } from './connection';
import { requestSource } from './requests';
import type { LoadTask } from './tasks';

export async function runSaturation(task: Extract<LoadTask, { kind: 'saturate' }>) {
  const { target, connections, ms } = task;
  const next = requestSource(task.requests);
  const latencies: number[] = [];
  let failures = 0;
  const until = performance.now() + ms;
  const drive = async (): Promise<void> => {
    const connection = new Connection(target.port);
    for (let now = performance.now(); now < until;) {
      const request = next();
      const { status } = await connection.send({ ...request, headers: { ...target.headers, ...request.headers } });
      const done = performance.now();
      if (status < 200 || status >= 300) failures++;
      else latencies.push(done - now);
      now = done;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, drive));
  return { latencies, failures };
}
