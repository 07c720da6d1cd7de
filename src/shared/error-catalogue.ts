/** HTTP status; what it means; advice to whoever gets it. */
type ErrorKind = readonly [status: number, meaning: string, advice: string];

/** Every error code the service answers. docs/errors.md is made of it (`npm run docs`). */
export const errors = {
  invalid_request: [
    400,
    'The request is malformed: a broken address, or no HTTP.',
    'Look at how the client builds it.',
  ],
  invalid_json: [400, 'The body is not JSON, or has a key `__proto__`.', 'Send valid JSON.'],
  invalid_parameter: [400, 'A parameter of the address is wrong.', 'See `details`.'],
  invalid_body: [400, 'A field of the body is missing or wrong.', 'See `details`.'],
  invalid_id: [
    400,
    'An id is empty, longer than 256 characters, or has NUL or half a surrogate pair in it.',
    'Send 1 to 256 characters.',
  ],
  conflicting_keys: [400, '`apiKey` or `secretKey` arrived in two places that differ.', 'Send each once.'],
  missing_keys: [400, 'Keys are required in the body and were not sent.', 'Send `apiKey` and `secretKey`.'],
  too_deep: [400, 'The body nests deeper than 32 levels.', 'Flatten it.'],
  invalid_keys: [
    401,
    "The keys don't open a store: unknown `apiKey`, wrong or expired `secretKey`.",
    'Check both; a rotated secret dies after its grace time.',
  ],
  missing_authentication: [
    401,
    'Neither keys nor an Origin, or no token, or an interface where an Origin is not enough.',
    'Backends send keys, pages call from a whitelisted Origin, admins send a token.',
  ],
  invalid_token: [
    401,
    'The token is malformed, expired, revoked or for something else; or the secretKey it was issued for is dead.',
    'Get a new one (inspection: `POST /authenticate`).',
  ],
  origin_not_allowed: [
    403,
    "The page's Origin is not whitelisted, or not for this `apiKey`.",
    "Add it to the store's origins.",
  ],
  forbidden: [403, "The token's role or store is another.", 'Use a token that may.'],
  not_found: [404, 'There is no such thing. `message` says which.', 'Check the id.'],
  unknown_route: [404, 'There is no such route, or not with this method.', 'Check the address and the method.'],
  request_timeout: [408, 'The request took too long to arrive.', 'Send it again.'],
  conflict: [
    409,
    'It is taken (an apiKey, an origin), or somebody changed it at the same time.',
    'Read it again, then decide.',
  ],
  not_replayed: [
    409,
    'The store asks for a replay before a boost template is activated, and this version has none, or lost too much.',
    'Replay it, or activate it with `force`.',
  ],
  body_too_large: [
    413,
    'The body is larger than this route takes (events: 64 KiB).',
    'Send less, or NDJSON where the route takes it.',
  ],
  uri_too_long: [414, 'A part of the address is too long.', 'Shorten it.'],
  unsupported_media_type: [
    415,
    'The body is not JSON, or is compressed.',
    'Send `content-type: application/json`, uncompressed.',
  ],
  too_many_requests: [
    429,
    'Too many calls (inspection: 10 a minute for a store), or failed authentications (20 a minute from one address).',
    'Wait as long as `Retry-After` says.',
  ],
  headers_too_large: [431, 'The headers, address included, are larger than 64 KiB.', 'Send less.'],
  internal_error: [500, 'A fault of ours.', 'Send again later; report the `requestId`.'],
  unavailable: [
    503,
    'A dependency is down or slow. Nothing was accepted that is lost.',
    'Wait as long as `Retry-After` says, then send again.',
  ],
  overloaded: [
    503,
    'There is more to do than the service can; this was refused at once, and nothing of it was done.',
    'Wait as long as `Retry-After` says, then send again.',
  ],
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** The status of each. */
export const errorCatalogue = Object.fromEntries(Object.entries(errors).map(([code, [status]]) => [code, status])) as {
  readonly [Code in ErrorCode]: (typeof errors)[Code][0];
};
