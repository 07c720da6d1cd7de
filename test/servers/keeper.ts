import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createServer } from 'node:http';
import { Unavailable } from './java';
import { type ServerKind, TestServer } from './test-server';

/**
 * A process that starts each server when the first suite asks for it, and keeps it for all suites of one test run:
 * `keeper.ts SOCKET`. GET /<kind> answers `{ url }`, or `{ reason }` where it can't be had; the answer is from then on in the file
 * SOCKET.<kind>, too. Ends when its standard input closes, and with it its servers and the folder of the socket, also where the run was
 * cut off.
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
const socket = process.argv[2] ?? '';

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
  rmSync(dirname(socket), { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
}

async function tell(kind: ServerKind): Promise<string> {
  const text = JSON.stringify(await answer(kind));
  // Whoever finds the file finds all of it.
  const draft = `${socket}.${kind}.${randomUUID()}`;
  writeFileSync(draft, text);
  renameSync(draft, `${socket}.${kind}`);
  return text;
}

createServer((request, response) => {
  void tell((request.url ?? '').slice(1) as ServerKind).then((text) => response.end(text));
}).listen(socket);
process.stdin.once('end', () => void end()).resume();
