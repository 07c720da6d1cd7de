import Redis from 'ioredis';
import { databasePath } from '../../src/storage/sqlite/embedded-database';
import { openDatabase, Statements } from '../../src/storage/sqlite/sqlite';
import type { Place } from '../support/modes';

/** Bytes of the database that hold something: not those of its log, nor what is free to be used again. */
function inDatabase(folder: string): number {
  const sql = new Statements(openDatabase(databasePath(folder), { readonly: true }));
  try {
    const number = (pragma: string): number => Number(sql.one(`PRAGMA ${pragma}`)?.[0] ?? 0);
    return (number('page_count') - number('freelist_count')) * number('page_size');
  } finally {
    sql.db.close();
  }
}

interface Stats {
  primaries: { store?: { size_in_bytes: number } };
}

async function inIndices(url: string, prefix: string): Promise<number> {
  const index = `${url}/${prefix}-*`;
  for (const step of ['_refresh', '_flush']) await fetch(`${index}/${step}`, { method: 'POST' });
  const { ['_all']: whole } = (await (await fetch(`${index}/_stats/store`)).json()) as Record<'_all', Stats>;
  return whole.primaries.store?.size_in_bytes ?? 0;
}

async function inRedis(url: string, prefix: string): Promise<number> {
  const redis = new Redis(url);
  let bytes = 0;
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `*${prefix}:*`, 'COUNT', 1000);
      const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key)));
      bytes += sizes.reduce((sum: number, size) => sum + Number(size ?? 0), 0);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
  return bytes;
}

/** Bytes that a service keeps. */
export async function storedBytes({ mode, env }: Place): Promise<number> {
  if (mode === 'embedded') return inDatabase(env['DATA_DIR'] ?? '');
  const { ELASTICSEARCH_URL = '', REDIS_URL = '', INDEX_PREFIX = '' } = env;
  return (await inIndices(ELASTICSEARCH_URL, INDEX_PREFIX)) + (await inRedis(REDIS_URL, INDEX_PREFIX));
}
