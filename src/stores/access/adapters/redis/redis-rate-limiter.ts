import { createHash } from 'node:crypto';
import { type RedisConnection, RedisScript } from '../../../../storage/redis/redis-connection';
import { RateLimiter, type Taken, taken, WINDOW_MS } from '../../rate-limiter';

/**
 * limit, now, window ms, weight -> when the window began, as text, and what it held before. The key ends with its window by the clock of Redis, so
 * that a caller whose clock steps back waits no longer; a key that would outlive it is one of a Redis whose clock has stepped back.
 */
const TAKE = new RedisScript(`
local window = redis.call('HMGET', KEYS[1], 'start', 'count')
local start, count = tonumber(window[1] or 0), tonumber(window[2] or 0)
if not window[1] or redis.call('PTTL', KEYS[1]) > tonumber(ARGV[3]) or tonumber(ARGV[2]) - start >= tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[1], 'start', ARGV[2], 'count', 0)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  start, count = tonumber(ARGV[2]), 0
end
if count < tonumber(ARGV[1]) then redis.call('HINCRBY', KEYS[1], 'count', ARGV[4]) end
return { string.format('%.0f', start), count }
`);

/** Counts for all replicas together. While Redis is down, each replica counts for itself. Keys are hashed. */
export class RedisRateLimiter extends RateLimiter {
  constructor(
    private readonly redis: RedisConnection,
    /** Counts while Redis is down. */
    private readonly alone: RateLimiter,
  ) {
    super();
  }

  override async take(key: string, limit: number, now: number, weight = 1): Promise<Taken> {
    const hash = createHash('sha256').update(key).digest('base64url').slice(0, 22);
    try {
      const [start, count] = (await this.redis.run((client) =>
        TAKE.run(client, [this.redis.key('window', hash)], [limit, now, WINDOW_MS, weight]),
      )) as [string, number];
      return taken({ startedAt: Number(start), count }, { limit, now, weight, shared: true });
    } catch {
      return { ...(await this.alone.take(key, limit, now, weight)), shared: false };
    }
  }
}
