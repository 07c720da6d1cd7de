import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { OwnServers } from '../servers/own-servers';
import { embeddedMode } from '../support/modes';
import type { Attack } from './attack';
import { attacks } from './attacks';
import { measure } from './measure';
import type { Judged } from './measured';
import { details, isMet, table } from './report';

const USAGE = `Usage: npm run attack -- [names] [--seconds N] [--engine embedded|elasticsearch]
Attacks a service with what any page can send, each attack on a service of its own, beside a normal shopper. Floods go on for N seconds (10).
Ends with 1 where an attack hurts. On Elasticsearch and Redis of ELASTICSEARCH_URL and REDIS_URL, else of its own.
Attacks: ${attacks.map(({ name }) => name).join(', ')}`;

interface Asked {
  chosen: readonly Attack[];
  seconds: number;
  engine: 'embedded' | 'elasticsearch';
}

function asked(): Asked | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { seconds: { type: 'string', default: '10' }, engine: { type: 'string', default: 'embedded' } },
    });
    const { engine } = values;
    const seconds = Number(values.seconds);
    const known = positionals.every((name) => attacks.some((attack) => attack.name === name));
    if (!known || !(seconds > 0) || (engine !== 'embedded' && engine !== 'elasticsearch')) return null;
    const chosen = attacks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return { chosen, seconds, engine };
  } catch {
    return null;
  }
}

async function main(): Promise<number> {
  const wanted = asked();
  if (!wanted) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { chosen, seconds, engine } = wanted;
  const loadBefore = loadavg()[0] ?? 0;
  const servers = new OwnServers();
  const seen: Judged[] = [];
  try {
    const mode = engine === 'elasticsearch' ? await servers.mode() : embeddedMode;
    for (const attack of chosen) {
      const judged = await measure(mode, attack, seconds * 1000);
      seen.push(judged);
      process.stdout.write(`${details(judged)}\n`);
    }
  } finally {
    await servers.stop();
  }
  process.stdout.write(table(seen, { engine, loadBefore }));
  return seen.every(isMet) ? 0 : 1;
}

// Exit handlers end the processes that were started, however this ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
