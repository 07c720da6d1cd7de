import { isbot } from 'isbot';

/**
 * Names of HTTP libraries and tools, which `isbot` takes for bots. They say how somebody calls, not who: apps and backends send what
 * their shoppers do through them. Crawlers name themselves.
 */
const libraries = [
  'aiohttp',
  'apache-httpclient',
  'axios',
  'curl',
  'dart',
  'faraday',
  'go-http-client',
  'got',
  'guzzlehttp',
  'httpie',
  'insomnia',
  'java',
  'ktor-client',
  'lightmyrequest',
  'node',
  'node-fetch',
  'okhttp',
  'php',
  'postmanruntime',
  'python',
  'python-requests',
  'python-urllib',
  'reqwest',
  'restsharp',
  'ruby',
  'superagent',
  'undici',
  'wget',
];
const library = new RegExp(`^(?:${libraries.join('|')})(?:[/ (].*)?$`, 'i');

/** True for a crawler, a monitor, a preview: what shops shall not learn from. No agent at all is no bot. */
export function isBot(userAgent: string): boolean {
  return isbot(userAgent) && !library.test(userAgent);
}

/** The same, and HTTP libraries too: what no shopper's browser calls itself. */
export function isMachine(userAgent: string): boolean {
  return isbot(userAgent);
}
