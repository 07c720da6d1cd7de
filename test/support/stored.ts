import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Redis from 'ioredis';
import { databasePath } from '../../src/storage/sqlite/embedded-database';
import { openDatabase, Statements } from '../../src/storage/sqlite/sqlite';

/** Limits, repeats and the like of the last minutes: seconds. */
const PASSING = 660;

/** Every row of the embedded database, and what is staged beside it. */
export function rowsOf(folder: string): string {
  const sql = new Statements(openDatabase(databasePath(folder), { readonly: true }));
  try {
    const tables = sql.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(([name]) => String(name));
    const rows = tables.flatMap((table) => sql.all(`SELECT * FROM "${table}"`).map((row) => textOf(table, row)));
    return [...rows, ...filesOf(join(folder, 'imports'))].join('\n');
  } finally {
    sql.db.close();
  }
}

function textOf(table: string, row: readonly unknown[]): string {
  const values = row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value));
  return `${table} ${values.map(String).join(' ')}`;
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name), 'utf8')}`);
}

/** Every value under the prefix, a line each; `passing` before those that end by themselves within minutes. */
export async function redisText(url: string, prefix: string): Promise<string> {
  const redis = new Redis(url);
  const lines: string[] = [];
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 500);
      for (const key of keys) {
        const passing = (await redis.ttl(key)) < PASSING ? 'passing ' : '';
        lines.push(`${passing}${key} ${await valueOf(redis, key)}`);
      }
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
  return lines.join('\n');
}

/**
 * Lets so many milliseconds pass for what expires under these keys (a pattern), as if the clock of Redis had gone on. How many keys there
 * were.
 */
export async function passInRedis(url: string, keys: string, ms: number): Promise<number> {
  const redis = new Redis(url);
  let passed = 0;
  try {
    for (const key of await redis.keys(keys)) {
      const left = await redis.pttl(key);
      // Negative: it never expires, or is gone. What has no time left is removed.
      if (left >= 0) passed += await redis.pexpire(key, left - ms);
    }
  } finally {
    redis.disconnect();
  }
  return passed;
}

async function valueOf(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return String(await redis.get(key));
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    default:
      return '';
  }
}
