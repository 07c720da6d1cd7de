import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { checkedAddresses } from './checked-hosts';
import type { HostResolver } from './host-resolver';
import { addressRule, type AddressRule } from './address-rule';
import { ACCEPTED_ENCODINGS } from './decoders';
import { limitedBody, tooLarge } from './limited-body';
import { OutboundError, shownUrl } from './outbound-error';
import { firstStep, nextStep, type Step } from './steps';

export interface OutboundOptions {
  /** Hosts that may be asked though they are not on the internet: the store's setting `feedHosts`. */
  allowedHosts: readonly string[];
  /** Default GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Most that may arrive, and most it may unfold to. */
  maxBytes: number;
  /** For everything, from the name to the last byte of the body. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Names of headers are in lower case. `url` is the one that answered, after redirects. The body is decoded; read it or destroy it. */
export interface OutboundAnswer {
  status: number;
  headers: Record<string, string>;
  body: Readable;
  url: string;
}

const MOST_REDIRECTS = 5;

/** Loaded with the first request. */
const undici = (): typeof import('undici') => require('undici') as typeof import('undici');

/**
 * Requests to addresses that somebody else has named, such as feeds and webhooks, so that they can't be made to reach what only this
 * machine reaches: its own network, its databases, the cloud's metadata. Every host is resolved once, all its addresses are checked, and
 * the connection is made to one of them; every redirect is checked anew. Proxies of the environment are not used. Any status is an
 * answer; everything else that can go wrong is an `OutboundError`, but for the reason of `signal`.
 */
export class OutboundRequests {
  constructor(
    private readonly resolver: HostResolver,
    private readonly rule: AddressRule = addressRule,
  ) {}

  async fetch(address: string, options: OutboundOptions): Promise<OutboundAnswer> {
    const late = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([late, ...(options.signal ? [options.signal] : [])]);
    let step = firstStep(address, options);
    try {
      for (let redirects = 0; ; redirects += 1) {
        const answer = await this.ask(step, options, signal);
        const next = nextStep(step, answer.status, answer.headers['location']);
        if (!next) return answer;
        answer.body.destroy();
        if (redirects === MOST_REDIRECTS) throw tooManyRedirects(address);
        step = next;
      }
    } catch (error) {
      throw outboundError(error, step, options);
    }
  }

  private async ask(step: Step, options: OutboundOptions, signal: AbortSignal): Promise<OutboundAnswer> {
    const { allowedHosts, maxBytes, timeoutMs } = options;
    const addresses = await checkedAddresses(step.url, this.resolver, { allowedHosts, rule: this.rule, timeoutMs });
    signal.throwIfAborted();
    const agent = pinnedTo(addresses, timeoutMs);
    try {
      const sent = await undici().request(step.url, {
        dispatcher: agent,
        method: step.method as Dispatcher.HttpMethod,
        headers: { 'user-agent': 'vitrine', 'accept-encoding': ACCEPTED_ENCODINGS, ...step.headers },
        body: step.body ?? null,
        signal,
      });
      const answer = answerOf(sent, step, { maxBytes, wrong: (error) => outboundError(error, step, options) });
      answer.body.once('close', () => void agent.destroy());
      return answer;
    } catch (error) {
      void agent.destroy();
      throw error;
    }
  }
}

/** One connection, to one of these addresses whatever the name means by then; TLS still checks the name. */
function pinnedTo(addresses: string[], timeoutMs: number): Agent {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, { all }, done) => {
    const [first] = known;
    if (all || !first) done(null, known);
    else done(null, first.address, first.family);
  };
  return new (undici().Agent)({
    connect: { lookup, timeout: timeoutMs },
    connections: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

function answerOf(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  step: Step,
  { maxBytes, wrong }: { maxBytes: number; wrong: (error: unknown) => unknown },
): OutboundAnswer {
  const named = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')] as const);
  const { 'content-encoding': encoding = '', 'content-length': length, ...kept } = Object.fromEntries(named);
  const isEmpty = step.method === 'HEAD' || statusCode === 204 || statusCode === 304;
  if (!isEmpty && Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return {
    status: statusCode,
    headers: kept,
    body: limitedBody(body, { encoding: isEmpty ? '' : encoding, maxBytes, wrong }),
    url: step.url.href,
  };
}

const tooManyRedirects = (address: string): OutboundError =>
  new OutboundError('bad_answer', `${shownUrl(new URL(address))} leads through more than ${MOST_REDIRECTS} redirects`);

/** The reason of the caller's signal as it is; everything else in words that name the address. */
function outboundError(error: unknown, { url }: Step, { signal, timeoutMs }: OutboundOptions): unknown {
  if (error instanceof OutboundError) return error;
  if (signal?.aborted) return signal.reason;
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (/Timeout/.test(name)) {
    return new OutboundError('timeout', `${shownUrl(url)} did not answer within ${timeoutMs} ms`, { cause: error });
  }
  if (/^(?:Z_|ERR__ERROR_|ERR_BROTLI|ERR_PADDING)/.test(code)) {
    return new OutboundError('bad_answer', `${shownUrl(url)} sent what can't be decompressed`, { cause: error });
  }
  const said = code === '' ? name : code;
  return new OutboundError('unreachable', `${shownUrl(url)} can't be asked, or broke off (${said})`, { cause: error });
}
