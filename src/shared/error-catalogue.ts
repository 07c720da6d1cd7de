interface ErrorKind {
  /** HTTP. */
  status: number;
  what: string;
  /** To whoever gets it. */
  advice: string;
}

/** Every error code the service answers. docs/errors.md is made of it (`npm run docs`). */
export const errors = {
  invalid_request: {
    status: 400,
    what: 'The request is malformed: a broken address, or no HTTP.',
    advice: 'Look at how the client builds it.',
  },
  invalid_json: {
    status: 400,
    what: 'The body is not JSON, or has a key `__proto__`.',
    advice: 'Send valid JSON.',
  },
  invalid_parameter: {
    status: 400,
    what: 'A parameter of the address is wrong.',
    advice: 'See `details`.',
  },
  invalid_body: {
    status: 400,
    what: 'A field of the body is missing or wrong.',
    advice: 'See `details`.',
  },
  invalid_id: {
    status: 400,
    what: 'An id is empty, longer than 256 characters, or has NUL or half a surrogate pair in it.',
    advice: 'Send 1 to 256 characters.',
  },
  conflicting_keys: {
    status: 400,
    what: '`apiKey` or `secretKey` arrived in two places that differ.',
    advice: 'Send each once.',
  },
  missing_keys: {
    status: 400,
    what: 'Keys are required in the body and were not sent.',
    advice: 'Send `apiKey` and `secretKey`.',
  },
  too_deep: {
    status: 400,
    what: 'The body nests deeper than 32 levels.',
    advice: 'Flatten it.',
  },
  invalid_keys: {
    status: 401,
    what: "The keys don't open a store: unknown `apiKey`, wrong or expired `secretKey`.",
    advice: 'Check both; a rotated secret dies after its grace time.',
  },
  missing_authentication: {
    status: 401,
    what: 'Neither keys nor an Origin, or no token, or an interface where an Origin is not enough.',
    advice: 'Backends send keys, pages call from a whitelisted Origin, admins send a token.',
  },
  invalid_token: {
    status: 401,
    what: 'The token is malformed, expired, revoked or for something else; or the secretKey it was issued for is dead.',
    advice: 'Get a new one (inspection: `POST /authenticate`).',
  },
  origin_not_allowed: {
    status: 403,
    what: "The page's Origin is not whitelisted, or not for this `apiKey`.",
    advice: "Add it to the store's origins.",
  },
  forbidden: {
    status: 403,
    what: "The token's role or store is another.",
    advice: 'Use a token that may.',
  },
  not_found: {
    status: 404,
    what: 'There is no such thing. `message` says which.',
    advice: 'Check the id.',
  },
  unknown_route: {
    status: 404,
    what: 'There is no such route, or not with this method.',
    advice: 'Check the address and the method.',
  },
  request_timeout: {
    status: 408,
    what: 'The request took too long to arrive.',
    advice: 'Send it again.',
  },
  conflict: {
    status: 409,
    what: 'It is taken (an apiKey, an origin), or somebody changed it at the same time.',
    advice: 'Read it again, then decide.',
  },
  body_too_large: {
    status: 413,
    what: 'The body is larger than this route takes (events: 64 KiB).',
    advice: 'Send less, or NDJSON where the route takes it.',
  },
  uri_too_long: {
    status: 414,
    what: 'A part of the address is too long.',
    advice: 'Shorten it.',
  },
  unsupported_media_type: {
    status: 415,
    what: 'The body is not JSON, or is compressed.',
    advice: 'Send `content-type: application/json`, uncompressed.',
  },
  too_many_requests: {
    status: 429,
    what: 'Too many calls (inspection: 10 a minute for a store), or failed authentications (20 a minute from one address).',
    advice: 'Wait as long as `Retry-After` says.',
  },
  headers_too_large: {
    status: 431,
    what: 'The headers, address included, are larger than 64 KiB.',
    advice: 'Send less.',
  },
  internal_error: {
    status: 500,
    what: 'A fault of ours.',
    advice: 'Send again later; report the `requestId`.',
  },
  unavailable: {
    status: 503,
    what: 'A dependency is down or slow. Nothing was accepted that is lost.',
    advice: 'Wait as long as `Retry-After` says, then send again.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** The status of each. */
export const errorCatalogue = Object.fromEntries(
  Object.entries(errors).map(([code, { status }]) => [code, status]),
) as { readonly [Code in ErrorCode]: (typeof errors)[Code]['status'] };
