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

interface Segment {
  prirep: 'p' | 'r';
  size: string;
}

/** By segment: the sizes that statistics tell are up to ten seconds old. */
async function inIndices(url: string, prefix: string): Promise<number> {
  for (const step of ['_refresh', '_flush']) await fetch(`${url}/${prefix}-*/${step}`, { method: 'POST' });
  const asked = `${url}/_cat/segments/${prefix}-*?format=json&bytes=b&h=prirep,size`;
  const segments = (await (await fetch(asked)).json()) as Segment[];
  return segments.reduce((sum, { prirep, size }) => sum + (prirep === 'p' ? Number(size) : 0), 0);
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
