import { parseArgs } from 'node:util';
import { OwnServers } from '../servers/own-servers';
import { embeddedMode } from '../support/modes';
import { fuzz, type FuzzResult } from './fuzz';

const USAGE = `Usage: npm run fuzz -- [--requests N] [--seed N] [--at-once N] [--engine embedded|elasticsearch] [--only TEXT]
Sends N requests (20,000) to every route of /openapi.json in turns: valid, nearly valid and hostile ones, the same for the same seed.
Ends with 1 where a reply is a 5xx, takes over 2 seconds, contradicts the document, or a secret shows in a reply or the log.
Routes that never answered a success are named: what is behind them was not reached.
--at-once keeps N requests under way (1); what the log shows of them is told of each.
--only sends to routes alone that have TEXT in their method and path ("POST /admin").
--engine elasticsearch runs the service on Elasticsearch and Redis (of ELASTICSEARCH_URL and REDIS_URL, else of its own).`;

interface Asked {
  requests: number;
  seed: number;
  atOnce: number;
  engine: 'embedded' | 'elasticsearch';
  only: string;
}

function asked(): Asked | null {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: '20000' },
        seed: { type: 'string', default: String(Math.floor(performance.timeOrigin % 1e6)) },
        'at-once': { type: 'string', default: '1' },
        engine: { type: 'string', default: 'embedded' },
        only: { type: 'string', default: '' },
      },
    });
    const [requests, seed, atOnce] = [Number(values.requests), Number(values.seed), Number(values['at-once'])];
    const { engine, only } = values;
    if (!isCount(requests) || !isCount(atOnce) || !Number.isInteger(seed)) return null;
    return engine === 'embedded' || engine === 'elasticsearch' ? { requests, seed, atOnce, engine, only } : null;
  } catch {
    return null;
  }
}

const isCount = (number: number): boolean => Number.isInteger(number) && number >= 1;

async function main(): Promise<number> {
  const wanted = asked();
  if (!wanted) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { engine, ...options } = wanted;
  const { requests, seed } = options;
  const servers = new OwnServers();
  try {
    const mode = engine === 'elasticsearch' ? await servers.mode() : embeddedMode;
    const progress = (sent: number): void => void process.stderr.write(`${sent} of ${requests}\n`);
    process.stdout.write(`Seed ${seed}\n`);
    const result = await fuzz({ ...options, mode, progress });
    process.stdout.write(`${summary(result, seed)}\n`);
    return result.flaws.length === 0 ? 0 : 1;
  } finally {
    await servers.stop();
  }
}

function summary({ sent, operations, statuses, slowest, flaws, unreached }: FuzzResult, seed: number): string {
  const by = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const totals = `${sent} requests to ${operations} routes, seed ${seed}; ${by.join(', ')}; slowest ${Math.round(slowest)} ms`;
  const never = unreached.map((name) => `${name} never answered a success`);
  return [...flaws, ...never, totals, `${flaws.length} flaws`].join('\n\n');
}

void main().then((code) => {
  process.exitCode = code;
});
