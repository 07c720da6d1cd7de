import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type RedisConnection, RedisScript } from '../../../../storage/redis/redis-connection';
import { REPEATED_WITHIN_MS, Deduplicator } from '../../deduplicator';

/*
 * One hash for each shopper: content -> `<time> <whose>`, and `<time> <whose> done` once that is durable.
 */

/** content, now, window ms, whose, expiry ms -> `mine`, `done`, or `busy`: another is at it. */
const TAKE = new RedisScript(`
local seen = redis.call('HGET', KEYS[1], ARGV[1])
if seen then
  local at, rest = string.match(seen, '^(%-?%d+) (.*)$')
  if math.abs(tonumber(ARGV[2]) - tonumber(at)) < tonumber(ARGV[3]) then
    return string.find(rest, ' done', 1, true) and 'done' or 'busy'
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 'mine'
`);

/** content, what is there now, what comes in its place ('': nothing). */
const TURN = new RedisScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[3] == '' then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
`);

const LOOK_EVERY_MS = 25;
/** A first that takes longer has died with its process, or as good as. */
const WAIT_MS = 2000;

interface Once {
  now: number;
  work: () => Promise<void>;
}

/** Shared by all replicas; within one, and where Redis is down, the process decides by itself. Ids are in no key: only their hashes are. */
export class RedisDeduplicator extends Deduplicator {
  constructor(
    private readonly redis: RedisConnection,
    private readonly inProcess: Deduplicator,
  ) {
    super();
  }

  override once(shopper: string, content: string, { now, work }: Once): Promise<void> {
    return this.inProcess.once(shopper, content, { now, work: () => this.shared(shopper, content, { now, work }) });
  }

  override async forget(shopper: string): Promise<void> {
    await this.inProcess.forget(shopper);
    // What could not be deleted expires within seconds.
    await this.redis.run((client) => client.del(this.key(shopper))).catch(() => undefined);
  }

  private async shared(shopper: string, content: string, { now, work }: Once): Promise<void> {
    const key = this.key(shopper);
    const whose = randomUUID();
    const seen = await this.take(key, content, `${now} ${whose}`);
    if (seen === 'done') return;
    try {
      await work();
    } catch (error) {
      if (seen === 'mine') await this.turn(key, [content, `${now} ${whose}`, '']);
      throw error;
    }
    if (seen === 'mine') void this.turn(key, [content, `${now} ${whose}`, `${now} ${whose} done`]);
  }

  /** `mine`: nobody did it, and others wait for us now. `done`: somebody did. `alone`: nobody can say. */
  private async take(key: string, content: string, own: string): Promise<'mine' | 'done' | 'alone'> {
    const [now = '', whose = ''] = own.split(' ');
    const values = [content, now, REPEATED_WITHIN_MS, whose, 2 * REPEATED_WITHIN_MS];
    try {
      for (let waited = 0; waited < WAIT_MS; waited += LOOK_EVERY_MS) {
        const answer = await this.redis.run((client) => TAKE.run(client, [key], values));
        if (answer === 'mine' || answer === 'done') return answer;
        await wait(LOOK_EVERY_MS);
      }
    } catch {
      return 'alone';
    }
    return 'alone';
  }

  private async turn(key: string, values: [content: string, from: string, to: string]): Promise<void> {
    await this.redis.run((client) => TURN.run(client, [key], values)).catch(() => undefined);
  }

  private key(shopper: string): string {
    return this.redis.key('repeat', createHash('sha256').update(shopper).digest('base64url').slice(0, 22));
  }
}
