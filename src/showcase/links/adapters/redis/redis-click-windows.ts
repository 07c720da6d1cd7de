import { type RedisConnection, RedisScript } from '../../../../storage/redis/redis-connection';
import {
  type AddressLimits,
  type Admission,
  ClickWindows,
  type CountedClick,
  countersOf,
  DAY,
  HOUR,
  MINUTE,
  REFUSED,
} from '../../click-windows';

/** Counters outlive their windows by this much: clocks of replicas differ. Milliseconds. */
const SPARE = MINUTE;

/**
 * Keys: the minute, the hour (a hash), the campaign's hour, the day (a hash). Values: fields of the shopper, the campaign and the product,
 * the limits (a minute, users, share, floor, rated), lifetimes. Answers whether the click is admitted, and whether it is rated.
 */
const ADMIT = new RedisScript(`
local function number(value) return tonumber(value or 0) or 0 end
if number(redis.call('GET', KEYS[1])) >= tonumber(ARGV[4]) then return { 0, 0 } end
local hour = redis.call('HMGET', KEYS[2], 'users', ARGV[1], ARGV[2])
if not hour[2] and number(hour[1]) >= tonumber(ARGV[5]) then return { 0, 0 } end
local all = number(redis.call('GET', KEYS[3]))
if number(hour[3]) + 1 > math.max(tonumber(ARGV[7]), tonumber(ARGV[6]) * (all + 1)) then return { 0, 0 } end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[9]) end
if not hour[2] then
  redis.call('HSET', KEYS[2], ARGV[1], 1)
  if redis.call('HINCRBY', KEYS[2], 'users', 1) == 1 then redis.call('PEXPIRE', KEYS[2], ARGV[10]) end
end
redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
if redis.call('INCR', KEYS[3]) == 1 then redis.call('PEXPIRE', KEYS[3], ARGV[10]) end
local rated = redis.call('HINCRBY', KEYS[4], ARGV[3], 1)
if rated == 1 then redis.call('PEXPIRE', KEYS[4], ARGV[11]) end
if rated > tonumber(ARGV[8]) then return { 1, 0 } end
return { 1, 1 }
`);

/** Keys and fields as above. What has expired meanwhile stays so. */
const GIVE_BACK = new RedisScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HINCRBY', KEYS[1], ARGV[1], -1) end
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('DECR', KEYS[2]) end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then redis.call('HINCRBY', KEYS[3], ARGV[2], -1) end
return 1
`);

const VIEW = new RedisScript(`
local count = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return count
`);

/** Counts for all replicas together. While Redis is down, each replica counts for itself. */
export class RedisClickWindows extends ClickWindows {
  constructor(
    private readonly redis: RedisConnection,
    /** Counts while Redis is down. */
    private readonly alone: ClickWindows,
  ) {
    super();
  }

  override async admit(click: CountedClick, limits: AddressLimits): Promise<Admission> {
    const { minute, hour, user, share, campaign, day, click: clicked } = countersOf(click);
    const { perMinute, usersPerHour, share: most, floor, rated } = limits;
    const keys = [minute, hour, campaign, day].map((name) => this.key(name));
    const lifetimes = [MINUTE + SPARE, HOUR + SPARE, DAY + SPARE];
    const values = [user, share, clicked, perMinute, usersPerHour, most, floor, rated, ...lifetimes];
    try {
      const [isAdmitted, isRated] = (await this.redis.run((client) => ADMIT.run(client, keys, values))) as number[];
      return isAdmitted === 1 ? { admitted: true, rated: isRated === 1 } : REFUSED;
    } catch {
      return this.alone.admit(click, limits);
    }
  }

  override async giveBack(click: CountedClick): Promise<void> {
    const { hour, share, campaign, day, click: clicked } = countersOf(click);
    const keys = [hour, campaign, day].map((name) => this.key(name));
    try {
      await this.redis.run((client) => GIVE_BACK.run(client, keys, [share, clicked]));
    } catch {
      await this.alone.giveBack(click);
    }
  }

  override async takeView(view: CountedClick, most: number): Promise<boolean> {
    const { day, view: viewed } = countersOf(view);
    try {
      const values = [viewed, DAY + SPARE];
      return Number(await this.redis.run((client) => VIEW.run(client, [this.key(day)], values))) <= most;
    } catch {
      return this.alone.takeView(view, most);
    }
  }

  private key(name: string): string {
    return this.redis.key('clicks', name);
  }
}
