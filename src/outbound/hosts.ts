import { isIP } from 'node:net';

/** A host as it is compared: lower case, without the brackets of IPv6 and the dot at the end. */
const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** The host of a URL, as a resolver or a socket takes it. */
export const hostOf = (url: URL): string => bareHost(url.hostname);

/** Whether a text is one host: a name or an address, without scheme, port or path. */
export function isHost(text: string): boolean {
  const url = asUrl(text);
  return url !== null && url.port === '' && url.pathname === '/' && hostOf(url) === bareHost(text);
}

/** Whether the host is in the list. Addresses are compared as addresses, however they are written. */
export function isListed(host: string, allowedHosts: readonly string[]): boolean {
  return allowedHosts.some((entry) => {
    const url = asUrl(entry);
    return url !== null && hostOf(url) === bareHost(host);
  });
}

function asUrl(host: string): URL | null {
  if (/[/?#@\\\s]/.test(host)) return null;
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}/`;
  return URL.canParse(url) ? new URL(url) : null;
}
