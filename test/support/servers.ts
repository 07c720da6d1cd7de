import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPlaceOf, type ServerKind } from '../servers/test-server';

const names: Record<ServerKind, string> = {
  elasticsearch: 'Elasticsearch',
  opensearch: 'OpenSearch',
  redis: 'Redis',
};

interface Answer {
  url?: string;
  reason?: string;
}

/** Milliseconds for a test or a hook: a server that was started a moment ago on a busy machine is slow. No less than any suite sets before, since this is set last. */
const SLOW_SERVER = 400_000;

const asked = new Map<ServerKind, Answer>();

/** Waits for the server, here and now: whether its tests exist is decided while they are registered. */
function ask(kind: ServerKind): Answer {
  const known = asked.get(kind);
  if (known) return known;
  const socket = process.env['VITRINE_TEST_SERVERS'] ?? '';
  const answer = JSON.parse(answered(socket, kind) ?? waitFor(socket, kind)) as Answer;
  asked.set(kind, answer);
  return answer;
}

/** What the keeper has told a suite before; null: none has asked yet. */
function answered(socket: string, kind: ServerKind): string | null {
  const file = `${socket}.${kind}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function waitFor(socket: string, kind: ServerKind): string {
  const script = join(__dirname, '..', 'servers', 'ask.js');
  return execFileSync(process.execPath, [script, socket, kind], { encoding: 'utf8' });
}

/**
 * Tests on real servers, each one for the whole run: `describeOn(['elasticsearch', 'redis'], (urls) => ...)`. They are not
 * alone on it: every name they use starts with something random, and they flush and stop nothing (for that,
 * `TestServer.start` gives a test a server of its own). Where a server can't be had, one skipped test says why; with
 * CI=true it fails.
 */
export function describeOn<K extends ServerKind>(
  kinds: K | readonly K[],
  body: (urls: Record<K, string>) => void,
): void {
  const wanted: readonly K[] = typeof kinds === 'string' ? [kinds] : kinds;
  const answers = wanted.map((kind) => ({ kind, ...ask(inPlaceOf(kind)) }));
  const missing = answers.filter(({ url }) => url === undefined);
  const title = `on ${wanted.map((kind) => names[inPlaceOf(kind)]).join(' and ')}`;
  if (missing.length === 0) {
    const urls = Object.fromEntries(answers.map(({ kind, url }) => [kind, url])) as Record<K, string>;
    jest.setTimeout(SLOW_SERVER);
    describe(title, () => body(urls));
    return;
  }
  const reason = missing.map(({ kind, reason: why }) => `${names[inPlaceOf(kind)]} can't be had: ${why}`).join('; ');
  describe(title, () => {
    if (process.env['CI'] === 'true') {
      it(reason, () => {
        throw new Error(reason);
      });
    } else {
      // oxlint-disable-next-line jest/no-disabled-tests -- its title says what is missing
      it.skip(reason, () => {});
    }
  });
}
