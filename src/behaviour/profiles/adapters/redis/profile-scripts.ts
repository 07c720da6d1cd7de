import { RedisScript } from '../../../../storage/redis/redis-connection';

/*
 * What Redis holds of a shopper, all of it made from the event log:
 *
 * profile  hash     w: watermark (absent: the log has to be looked at first); id, u, v: the stored vector's state, time and JSON;
 *                   g: changes whenever the profile is forgotten; c: no event up to here is this shopper's any more
 * overlay  sorted   the recent events: sequence number -> `<received> <evidence as JSON>`, those after the watermark
 * dirty    sorted   of all shoppers: the time the first event of the recent events was received -> `<store>\n<shopper>`
 *
 * Every script takes profile, overlay and dirty as its keys, in this order. The recent events outlive the profile, so that a
 * profile that is there never lacks its events.
 */

const expire = `
local function expire(profile_s, overlay_s)
  redis.call('EXPIRE', KEYS[1], profile_s)
  redis.call('EXPIRE', KEYS[2], overlay_s)
  redis.call('EXPIRE', KEYS[3], overlay_s)
end
`;

/** known id -> [g, w, id, u, v unless the id is known, ...recent events]. */
export const READ = new RedisScript(`
local head = redis.call('HMGET', KEYS[1], 'g', 'w', 'id', 'u')
local vector = false
if head[3] and head[3] ~= ARGV[1] then vector = redis.call('HGET', KEYS[1], 'v') end
return {head[1], head[2], head[3], head[4], vector, redis.call('ZRANGE', KEYS[2], 0, -1)}
`);

/**
 * member, token, most, profile s, recent events s, then seq, received, event for each -> 1; 0 where the log has to be looked at again: an event
 * came after younger ones were aggregated, or there are more than fit.
 */
export const ADD = new RedisScript(`${expire}
local head = redis.call('HMGET', KEYS[1], 'w', 'c')
local floor = math.max(tonumber(head[1] or 0), tonumber(head[2] or 0))
local first, late = nil, false
for i = 6, #ARGV, 3 do
  if tonumber(ARGV[i]) <= floor then
    late = true
  else
    redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i])
    redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i + 2])
  end
  local received = tonumber(ARGV[i + 1])
  if not first or received < first then first = received end
end
local much = redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[3])
if much then redis.call('DEL', KEYS[2]) end
if (late or much) and head[1] then
  redis.call('HDEL', KEYS[1], 'w', 'id', 'u', 'v')
  redis.call('HSET', KEYS[1], 'g', ARGV[2])
end
redis.call('ZADD', KEYS[3], 'LT', string.format('%.0f', first), ARGV[1])
expire(ARGV[4], ARGV[5])
return (late or much) and 0 or 1
`);

/** member, token, claimed up to, seconds -> 1 where there was a vector. Nothing is left of the shopper. */
export const FORGET = new RedisScript(`
local had = redis.call('HEXISTS', KEYS[1], 'v')
local claimed = math.max(tonumber(redis.call('HGET', KEYS[1], 'c') or 0), tonumber(ARGV[3]))
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'g', ARGV[2], 'c', string.format('%.0f', claimed))
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('ZREM', KEYS[3], ARGV[1])
return had
`);

/** token, profile s, then sequence numbers of events that are no more. The log is looked at again; the recent events are kept meanwhile. */
export const READ_LOG_AGAIN = new RedisScript(`
redis.call('HDEL', KEYS[1], 'w', 'id', 'u', 'v')
redis.call('HSET', KEYS[1], 'g', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
for i = 3, #ARGV do redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i]) end
return 1
`);

/**
 * token, profile s, then sequence numbers of events that count no longer. Only where the vector holds one, the log is looked at again. Who is
 * aggregating them just now begins anew, in any case.
 */
export const DROP = new RedisScript(`
local w = tonumber(redis.call('HGET', KEYS[1], 'w') or 0)
for i = 3, #ARGV do
  if tonumber(ARGV[i]) <= w then
    redis.call('HDEL', KEYS[1], 'w', 'id', 'u', 'v')
    redis.call('EXPIRE', KEYS[1], ARGV[2])
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i])
end
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'g', ARGV[1]) end
return 1
`);

/**
 * member, expected g, expected w, w, id ('': no vector, '=': as it is), u, v, profile s, recent events s, number of stale events, their
 * sequence numbers, then seq, event for each that the recent events may lack -> 1, or 0 where somebody was first. Watermark, vector and the
 * trimmed recent events in one write.
 */
export const SAVE = new RedisScript(`${expire}
local head = redis.call('HMGET', KEYS[1], 'g', 'w')
if (head[1] or '') ~= ARGV[2] or (head[2] or '') ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'w', ARGV[4])
if ARGV[5] == '' then
  redis.call('HDEL', KEYS[1], 'id', 'u', 'v')
elseif ARGV[5] ~= '=' then
  redis.call('HSET', KEYS[1], 'id', ARGV[5], 'u', ARGV[6], 'v', ARGV[7])
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
local stale = tonumber(ARGV[10])
for i = 11, 10 + stale do redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i]) end
for i = 11 + stale, #ARGV, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i])
  redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i + 1])
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if first then
  redis.call('ZADD', KEYS[3], string.match(first, '^%d+'), ARGV[1])
else
  redis.call('ZREM', KEYS[3], ARGV[1])
end
expire(ARGV[8], ARGV[9])
return 1
`);
