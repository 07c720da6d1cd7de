import { isbot } from 'isbot';

/**
 * Names of HTTP libraries and tools, which `isbot` takes for bots. They say how somebody calls, not who: apps and backends send what
 * their shoppers do through them. Crawlers name themselves.
 */
const LIBRARIES =
  'aiohttp apache-httpclient axios curl dart faraday go-http-client got guzzlehttp httpie insomnia java ' +
  'ktor-client lightmyrequest node node-fetch okhttp php postmanruntime python python-requests ' +
  'python-urllib reqwest restsharp ruby superagent undici wget';
const library = new RegExp(`^(?:${LIBRARIES.replaceAll(' ', '|')})(?:[/ (].*)?$`, 'i');

/** True for a crawler, a monitor, a preview: what a shop must not learn from. A request without a user agent is not one. */
export function isBot(userAgent: string): boolean {
  return isbot(userAgent) && !library.test(userAgent);
}

/** True for HTTP libraries, too: whatever no shopper's browser calls itself. */
export function isMachine(userAgent: string): boolean {
  return isbot(userAgent);
}
