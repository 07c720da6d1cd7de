import { RedisScript } from '../../../../storage/redis/redis-connection';

/*
 * What Redis holds of a shopper, all of it made from the event log:
 *
 * profile  hash     w: watermark (absent: the log has to be looked at first); id, u, v: the stored vector's state, time and JSON;
 *                   g: changes whenever the profile is forgotten; c: no event up to here is this shopper's any more;
 *                   r: changes whenever the recent events do; s: how many characters those are, or more
 * overlay  sorted   the recent events: sequence number -> `<received> <evidence as JSON>`, those after the watermark
 * dirty    sorted   of all shoppers: the time the first event of the recent events was received, 0 where those are many ->
 *                   `<store>\n<shopper>`
 *
 * Every script takes profile, overlay and dirty as its keys, in this order. The recent events outlive the profile, so that a
 * profile that is there never lacks its events.
 *
 * A full Redis refuses a script whose first write would make it larger, as a whole: ADD and SAVE. It does those that delete first.
 */

const expire = `
local function expire(profile_s, overlay_s)
  redis.call('EXPIRE', KEYS[1], profile_s)
  redis.call('EXPIRE', KEYS[2], overlay_s)
  redis.call('EXPIRE', KEYS[3], overlay_s)
end
`;

/**
 * known id, known version -> [g, w, id, u, v unless the id is known, version, recent events unless the version is known]. Their number is a
 * part of the version: the version of the service before this one does not change r.
 */
export const READ = new RedisScript(`
local head = redis.call('HMGET', KEYS[1], 'g', 'w', 'id', 'u', 'r')
local vector = false
if head[3] and head[3] ~= ARGV[1] then vector = redis.call('HGET', KEYS[1], 'v') end
local version = head[5] and (head[5] .. ' ' .. redis.call('ZCARD', KEYS[2]))
local events = false
if not version or version ~= ARGV[2] then events = redis.call('ZRANGE', KEYS[2], 0, -1) end
return {head[1], head[2], head[3], head[4], vector, version, events}
`);

/**
 * member, token, most events, most characters, many events, many characters, profile s, recent events s, then seq, received, event for each
 * -> 1; 0 where the log has to be looked at again: an event came after younger ones were aggregated, or there are more than fit.
 */
export const ADD = new RedisScript(`${expire}
local head = redis.call('HMGET', KEYS[1], 'w', 'c')
local floor = math.max(tonumber(head[1] or 0), tonumber(head[2] or 0))
local first, late, added = nil, false, 0
redis.call('HSET', KEYS[1], 'r', ARGV[2])
for i = 9, #ARGV, 3 do
  if tonumber(ARGV[i]) <= floor then
    late = true
  else
    redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i])
    redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i + 2])
    added = added + #ARGV[i + 2]
  end
  local received = tonumber(ARGV[i + 1])
  if not first or received < first then first = received end
end
local events = redis.call('ZCARD', KEYS[2])
local size = redis.call('HINCRBY', KEYS[1], 's', added)
local much = events > tonumber(ARGV[3]) or size > tonumber(ARGV[4])
if much then
  redis.call('DEL', KEYS[2])
  redis.call('HDEL', KEYS[1], 's')
end
if events > tonumber(ARGV[5]) or size > tonumber(ARGV[6]) then first = 0 end
if (late or much) and head[1] then
  redis.call('HDEL', KEYS[1], 'w', 'id', 'u', 'v')
  redis.call('HSET', KEYS[1], 'g', ARGV[2])
end
redis.call('ZADD', KEYS[3], 'LT', string.format('%.0f', first), ARGV[1])
expire(ARGV[7], ARGV[8])
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
redis.call('HSET', KEYS[1], 'g', ARGV[1], 'r', ARGV[1])
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
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'g', ARGV[1], 'r', ARGV[1]) end
return 1
`);

/** member -> 1 where nothing is known of the shopper: then there is nothing to be aggregated either. 0 where there is something after all. */
export const SETTLE_NOTHING = new RedisScript(`
local head = redis.call('HMGET', KEYS[1], 'g', 'w', 'c')
if head[1] or head[2] or head[3] or redis.call('ZCARD', KEYS[2]) > 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return 1
`);

/**
 * member, token, many events, many characters, profile s, recent events s, expected g, expected w, w, id ('': no vector, '=': as it is), u, v,
 * number of stale events, their sequence numbers, then seq, event for each that the recent events may lack -> 1, or 0 where somebody was
 * first. Watermark, vector and the trimmed recent events in one write.
 */
export const SAVE = new RedisScript(`${expire}
local head = redis.call('HMGET', KEYS[1], 'g', 'w')
if (head[1] or '') ~= ARGV[7] or (head[2] or '') ~= ARGV[8] then return 0 end
redis.call('HSET', KEYS[1], 'w', ARGV[9])
if ARGV[10] == '' then
  redis.call('HDEL', KEYS[1], 'id', 'u', 'v')
elseif ARGV[10] ~= '=' then
  redis.call('HSET', KEYS[1], 'id', ARGV[10], 'u', ARGV[11], 'v', ARGV[12])
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[9])
local stale = tonumber(ARGV[13])
for i = 14, 13 + stale do redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i]) end
for i = 14 + stale, #ARGV, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[i], ARGV[i])
  redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i + 1])
end
local events = redis.call('ZRANGE', KEYS[2], 0, -1)
local size = 0
for _, event in ipairs(events) do size = size + #event end
redis.call('HSET', KEYS[1], 'r', ARGV[2], 's', size)
if #events > tonumber(ARGV[3]) or size > tonumber(ARGV[4]) then
  redis.call('ZADD', KEYS[3], 0, ARGV[1])
elseif events[1] then
  redis.call('ZADD', KEYS[3], string.match(events[1], '^%d+'), ARGV[1])
else
  redis.call('ZREM', KEYS[3], ARGV[1])
end
expire(ARGV[5], ARGV[6])
return 1
`);
