import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { OwnServers } from '../servers/own-servers';
import { embeddedMode } from '../support/modes';
import { RealGround } from '../attack/real-ground';
import { overloaded } from './overloaded';
import { soaked } from './soaked';

const USAGE = `Usage: npm run soak -- [--minutes N] [--engine embedded|elasticsearch] [--overload] [--per-second N]
A mixed load on a service for N minutes (30), at so many acts a second (20): events, searches, clicks, writes of the catalog, erased users, learning.
Ends with 1 where a request fails, or memory or what is stored does not end flat.
--overload offers three times the searches the machine can answer, for N minutes (5): ends with 1 where fewer than 80% of the best are answered, or
what is refused is not refused at once. On Elasticsearch and Redis of ELASTICSEARCH_URL and REDIS_URL, else of its own.`;

const PRODUCTS = 10_000;

interface Asked {
  minutes: number;
  perSecond: number;
  engine: 'embedded' | 'elasticsearch';
  overload: boolean;
}

function asked(): Asked | null {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string' },
        'per-second': { type: 'string', default: '20' },
        engine: { type: 'string', default: 'embedded' },
        overload: { type: 'boolean', default: false },
      },
    });
    const { engine, overload } = values;
    const minutes = Number(values.minutes ?? (overload ? 5 : 30));
    const perSecond = Number(values['per-second']);
    if (!(minutes > 0) || !(perSecond > 0) || (engine !== 'embedded' && engine !== 'elasticsearch')) return null;
    return { minutes, perSecond, engine, overload };
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
  const { minutes, perSecond, engine, overload } = wanted;
  const servers = new OwnServers();
  try {
    const mode = engine === 'elasticsearch' ? await servers.mode() : embeddedMode;
    const ground = await RealGround.open(mode, { products: PRODUCTS });
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    say(`Node ${process.versions.node}, ${cpus().length} cores`);
    try {
      return (await (overload ? overloaded(ground, { minutes, say }) : soaked(ground, { minutes, perSecond, say })))
        ? 0
        : 1;
    } finally {
      await ground.close();
    }
  } finally {
    await servers.stop();
  }
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
