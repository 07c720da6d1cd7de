/**
 * Why a request to somebody else's server came to nothing. `refused`: it was never sent, since this service does not ask that address;
 * trying again changes nothing. `too_large` and `bad_answer`: what came back can't be taken.
 */
export type OutboundReason = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'bad_answer';

/** `message` names the address without what may be secret in it, and says what is accepted. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly reason: OutboundReason,
    message: string,
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** An address as errors and logs may show it: the query may carry a token, the userinfo does. */
export const shownUrl = ({ origin, pathname }: URL): string => `${origin}${pathname}`;
