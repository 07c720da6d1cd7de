import { hash, randomUUID } from 'node:crypto';
import { retryOnConflict } from '../../../../shared/async/retry';
import { type RedisConnection, RedisScript } from '../../../../storage/redis/redis-connection';
import { Deduplicator, REPEATED_WITHIN_MS, type OnceOptions } from '../../deduplicator';

/*
 * One hash for each shopper: content -> `<time> <whose>`, and `<time> <whose> done` once that is durable.
 */

/** content, now, window ms, whose, expiry ms, other content ('': none) -> `mine`, `done`, or `busy`: another is at it. */
const TAKE = new RedisScript(`
for _, content in ipairs({ARGV[1], ARGV[6]}) do
  local seen = redis.call('HGET', KEYS[1], content)
  if seen then
    local at, rest = string.match(seen, '^(%-?%d+) (.*)$')
    if math.abs(tonumber(ARGV[2]) - tonumber(at)) < tonumber(ARGV[3]) then
      return string.find(rest, ' done', 1, true) and 'done' or 'busy'
    end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 'mine'
`);

/** content, what is there now, what replaces it ('': nothing). */
const TURN = new RedisScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[3] == '' then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`);

/** A first that takes longer has died with its process, or as good as. */
const WAITING = { forMs: 2000, pauseMs: 25, steady: true, exhausted: () => new Error('The first takes too long') };

/** Shared by all replicas; within one, and where Redis is down, the process decides by itself. Ids are in no key: only their hashes are. */
export class RedisDeduplicator extends Deduplicator {
  constructor(
    private readonly redis: RedisConnection,
    private readonly inProcess: Deduplicator,
  ) {
    super();
  }

  override once(shopper: string, content: string, options: OnceOptions): Promise<void> {
    const work = (): Promise<void> => this.onceOverReplicas(shopper, content, options);
    return this.inProcess.once(shopper, content, { ...options, work });
  }

  override async forget(shopper: string): Promise<void> {
    await this.inProcess.forget(shopper);
    // What could not be deleted expires within seconds.
    await this.redis.run((client) => client.del(this.key(shopper))).catch(() => undefined);
  }

  private async onceOverReplicas(
    shopper: string,
    content: string,
    { now, unless = '', work }: OnceOptions,
  ): Promise<void> {
    const key = this.key(shopper);
    const whose = randomUUID();
    const values = [content, now, REPEATED_WITHIN_MS, whose, 2 * REPEATED_WITHIN_MS, unless];
    // Where nobody can say whether it was done, it is done.
    const seen = await retryOnConflict(() => this.take(key, values), WAITING).catch(() => 'alone');
    if (seen === 'done') return;
    const replace = async (by: string): Promise<void> => {
      if (seen !== 'mine') return;
      await this.redis
        .run((client) => TURN.run(client, [key], [content, `${now} ${whose}`, by]))
        .catch(() => undefined);
    };
    try {
      await work();
    } catch (error) {
      await replace('');
      throw error;
    }
    void replace(`${now} ${whose} done`);
  }

  /** `mine`: nobody did it, and others wait for us now. `done`: somebody did. Null: somebody is at it. */
  private async take(key: string, values: (string | number)[]): Promise<'mine' | 'done' | null> {
    const answer = await this.redis.run((client) => TAKE.run(client, [key], values));
    return answer === 'mine' || answer === 'done' ? answer : null;
  }

  private key(shopper: string): string {
    return this.redis.key('repeat', hash('sha256', shopper, 'base64url').slice(0, 22));
  }
}
