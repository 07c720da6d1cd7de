const PREFIX = 'vitrine:';
const YEAR_SECONDS = 31_536_000;

/** What stands in for storage where the browser refuses it: gone with the page. */
const kept = new Map<string, string>();

/** First-party storage: what was kept by this tag, by a short name. Where there is none, this page remembers. */
export const memory = {
  get(name: string): string | null {
    try {
      return kept.get(name) ?? localStorage.getItem(PREFIX + name);
    } catch {
      return null;
    }
  },
  set(name: string, value: string): void {
    try {
      localStorage.setItem(PREFIX + name, value);
      kept.delete(name);
    } catch {
      kept.set(name, value);
    }
  },
  remove(name: string): void {
    kept.delete(name);
    try {
      localStorage.removeItem(PREFIX + name);
    } catch {
      // Then nothing was kept there.
    }
  },
  /** Names that begin so. */
  names(start: string): string[] {
    const names = Array.from(kept.keys());
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) names.push(key.slice(PREFIX.length));
    } catch {
      // As above.
    }
    return names.filter((name) => name.startsWith(start));
  },
};

/** A UUID, also on pages without TLS, where `randomUUID` is missing. */
export function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('');
}

const COOKIE = 'vitrine_device';

function writeCookie(id: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? ';Secure' : '';
  document.cookie = `${COOKIE}=${id};Max-Age=${seconds};Path=/;SameSite=Lax${secure}`;
}

/** The browser, as events and searches name it. In storage; in a cookie where there is none. Read each time: another tab may have made it. */
export function deviceId(): string {
  const known = memory.get('device') ?? new RegExp(`${COOKIE}=([\\w-]+)`).exec(document.cookie)?.[1];
  const id = known ?? newId();
  if (!known) memory.set('device', id);
  if (kept.has('device')) writeCookie(id, YEAR_SECONDS);
  return id;
}

/** Everything but what the shopper said about it. */
export function forgetAll(): void {
  for (const name of memory.names('')) if (name !== 'consent') memory.remove(name);
  writeCookie('', 0);
}
