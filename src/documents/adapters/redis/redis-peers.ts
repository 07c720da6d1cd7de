import { randomUUID } from 'node:crypto';
import { type RedisConnection, RedisScript } from '../../../storage/redis/redis-connection';
import { Peers, type SeenVersions } from '../../peers';

/** A process that has said nothing for so long has ended, or hangs. Milliseconds. */
const ALIVE_MS = 2000;

/**
 * By the server's clock alone: those of the processes may differ. A full Redis does what deletes first, and this grows no more than there
 * are processes.
 */
const EXCHANGE = new RedisScript(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', now, ARGV[2]))
  redis.call('PEXPIRE', KEYS[1], 2 * ARGV[3])
  local others = {}
  local all = redis.call('HGETALL', KEYS[1])
  for n = 1, #all, 2 do
    local at, seen = string.match(all[n + 1], '^(%d+) (.*)$')
    -- A clock that was set back makes nobody live for ever.
    if math.abs(now - tonumber(at)) > tonumber(ARGV[3]) then
      redis.call('HDEL', KEYS[1], all[n])
    elseif all[n] ~= ARGV[1] then
      others[#others + 1] = seen
    end
  end
  return others
`);

/** What the processes of an installation have seen: one hash in Redis, a field each. */
export class RedisPeers extends Peers {
  private readonly process = randomUUID();
  private readonly key: string;

  constructor(private readonly redis: RedisConnection) {
    super();
    this.key = redis.key('peers');
  }

  override async exchange(seen: SeenVersions): Promise<SeenVersions[]> {
    const values = [this.process, JSON.stringify(seen), ALIVE_MS];
    const others = await this.redis.run((redis) => EXCHANGE.run(redis, [this.key], values));
    return (others as string[]).map((text) => JSON.parse(text) as SeenVersions);
  }

  override async leave(): Promise<void> {
    await this.redis.run((redis) => redis.hdel(this.key, this.process));
  }
}
