import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { parse as parseDomain } from 'tldts';
import { remembered } from '../../shared/remembered';

/** A whitelist entry (`www.store.example`, `.store.example`) or an Origin, taken apart. Absent: not named. */
export interface Origin {
  /** Lower-case, punycode, without a dot at either end. */
  host: string;
  /** An entry that covers the host and every host under it. */
  domain: boolean;
  scheme?: string;
  port?: number;
  trailingDot: boolean;
}

const SHAPE =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<dot>\.)?(?<host>\[[0-9a-f:.]+\]|[^\s/\\?#@:[\]%,*]+?)(?<trail>\.)?(?::(?<port>\d{1,5}))?\/?$/iu;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** `[::1]` as URLs write it; names in punycode; null where it is no host at all. */
function canonicalHost(text: string): string | null {
  if (text.startsWith('[')) return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : null;
  const ascii = domainToASCII(text);
  if (ascii.length === 0 || ascii.length > 253) return null;
  return ascii.split('.').every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) ? ascii : null;
}

function take(text: string): Origin | null {
  const groups = SHAPE.exec(text.trim())?.groups;
  const host = groups?.['host'] === undefined ? null : canonicalHost(groups['host']);
  if (!groups || host === null) return null;
  const port = groups['port'] === undefined ? undefined : Number(groups['port']);
  if (port !== undefined && (port === 0 || port > 65_535)) return null;
  return {
    host,
    domain: groups['dot'] !== undefined,
    trailingDot: groups['trail'] !== undefined,
    ...(groups['scheme'] === undefined ? {} : { scheme: groups['scheme'].toLowerCase() }),
    ...(port === undefined ? {} : { port }),
  };
}

const MOST_REMEMBERED = 10_000;

/** Each request asks several times, one that is refused in a flood, too. */
const parsed = remembered(MOST_REMEMBERED, (header): { origin: Origin | null } => {
  if (header.trim().toLowerCase() === 'null') return { origin: null };
  const origin = take(header);
  return { origin: origin === null || origin.domain ? null : origin };
});

/** An `Origin` header. Null for `null`, and for whatever isn't a scheme, a host and a port. */
export function parseOrigin(header: string): Origin | null {
  return parsed(header).origin;
}

/** A whitelist entry, or what is wrong with it as text that says what is accepted. */
export function parseEntry(text: string): Origin | string {
  const entry = take(text);
  if (!entry || text.trim().toLowerCase() === 'null') {
    return 'Not a host. Accepted: a host (www.store.example), or a domain with all its hosts (.store.example)';
  }
  if (entry.domain && (isIP(entry.host) !== 0 || entry.host.startsWith('['))) {
    return 'An address has no hosts under it. Accepted: the address alone';
  }
  return isPublicSuffix(entry)
    ? 'A public suffix, under which anybody can have a name. Accepted: a host or a domain of the store'
    : entry;
}

/** As a host, an unlisted single word (`localhost`, an intranet name) is fine; as a domain it is open to anybody. */
function isPublicSuffix({ host, domain }: Origin): boolean {
  const known = parseDomain(host, { allowPrivateDomains: true, extractHostname: false });
  if (known.publicSuffix !== host || host === 'localhost') return false;
  return domain || known.isIcann === true;
}

/** Whether an entry lets an Origin in. Scheme, port and trailing dot count only where the entry names them. */
export function entryMatches(entry: Origin, origin: Origin): boolean {
  const { host } = origin;
  if (host !== entry.host && !(entry.domain && host.endsWith(`.${entry.host}`))) return false;
  if (entry.scheme !== undefined && entry.scheme !== origin.scheme) return false;
  if (entry.trailingDot && !origin.trailingDot) return false;
  return entry.port === undefined || entry.port === (origin.port ?? DEFAULT_PORTS[origin.scheme ?? '']);
}

/** Whether some host is covered by both entries, whatever their schemes and ports. */
export function entriesOverlap(a: Origin, b: Origin): boolean {
  if (a.host === b.host) return true;
  return (a.domain && b.host.endsWith(`.${a.host}`)) || (b.domain && a.host.endsWith(`.${b.host}`));
}

/** The host and every domain above it: `a.b.c` -> `a.b.c`, `b.c`, `c`. */
export function hostAndParents(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}
