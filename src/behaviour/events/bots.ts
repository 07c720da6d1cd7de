import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/**
 * Names of HTTP libraries and tools, which `isbot` takes for bots. They say how somebody calls, not who: apps and backends send what
 * their shoppers do through them. Crawlers name themselves.
 */
const LIBRARIES =
  'aiohttp apache-httpclient axios curl dart faraday go-http-client got guzzlehttp httpie insomnia java ' +
  'ktor-client lightmyrequest node node-fetch okhttp php postmanruntime python python-requests ' +
  'python-urllib reqwest restsharp ruby superagent undici wget';
const library = new RegExp(`^(?:${LIBRARIES.replaceAll(' ', '|')})(?:[/ (].*)?$`, 'i');
/** What browsers call themselves repeats, and looking at it takes longer than the rest of judging an event. */
const verdicts = new LRUCache<string, boolean>({ max: 2000 });
/** Characters. What is longer is not remembered. */
const LONGEST_REMEMBERED = 400;

/** True for a crawler, a monitor, a preview: what a shop must not learn from. A request without a user agent is not one. */
export function isBot(userAgent: string): boolean {
  return isMachine(userAgent) && !library.test(userAgent);
}

/** True for HTTP libraries, too: whatever no shopper's browser calls itself. */
export function isMachine(userAgent: string): boolean {
  const known = verdicts.get(userAgent);
  if (known !== undefined) return known;
  const verdict = isbot(userAgent);
  if (userAgent.length <= LONGEST_REMEMBERED) verdicts.set(userAgent, verdict);
  return verdict;
}
