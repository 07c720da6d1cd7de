import { createServer } from 'node:http';
import { Unavailable } from './java';
import { type ServerKind, TestServer } from './test-server';

/**
 * A process that starts each server when the first suite asks for it, and keeps it for all suites of one test run:
 * `keeper.ts SOCKET`. GET /<kind> answers `{ url }`, or `{ reason }` where it can't be had. Ends, and its servers with it,
 * when its standard input closes.
 */
interface Answer {
  url?: string;
  reason?: string;
}

const given: Record<ServerKind, string | undefined> = {
  elasticsearch: process.env['ELASTICSEARCH_URL'],
  opensearch: process.env['OPENSEARCH_URL'],
  redis: process.env['REDIS_URL'],
};
const servers = new Map<ServerKind, Promise<TestServer>>();

async function answer(kind: ServerKind): Promise<Answer> {
  const url = given[kind];
  if (url) return { url };
  const started = servers.get(kind) ?? TestServer.start(kind);
  servers.set(kind, started);
  try {
    return { url: (await started).url };
  } catch (error) {
    const missing = error instanceof Unavailable;
    return { reason: `${missing ? '' : 'it did not start: '}${(error as Error).message}` };
  }
}

async function end(): Promise<void> {
  const started = await Promise.allSettled(servers.values());
  await Promise.all(started.map((result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)));
  process.exit(0);
}

createServer((request, response) => {
  void answer((request.url ?? '').slice(1) as ServerKind).then((found) => response.end(JSON.stringify(found)));
}).listen(process.argv[2]);
process.stdin.once('end', () => void end()).resume();
