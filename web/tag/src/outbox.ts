import { memory, newId } from './memory';

/** What waits to be acknowledged: a path below the endpoint, and the body if it has one. */
interface Letter {
  path: string;
  body: Record<string, unknown> | null;
  /** When it happened, by the browser's clock. */
  at: number;
}

/** The service honours times of the last seven days. */
const OLDEST_MS = 7 * 86_400_000;
const MOST_WAITING = 200;
/** Another tab may be sending what is younger. */
const OWN_MS = 30_000;
/** Told as late: the service's own clock is better than the browser's. */
const LATE_MS = 60_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 300_000;
/** What a browser takes of requests that outlive their page. */
const MOST_KEPT_ALIVE = 60_000;
const MOST_AT_ONCE = 10;
/** The service says that these are never accepted, so sending them again is of no use. */
const NEVER = [400, 413, 415];
const START = 'q:';

/**
 * Sends until it is acknowledged: everything lies in storage, each under a name of its own, before it is sent, and leaves it when the
 * service has said that it is durable. What is sent twice counts once, by its `eventId`.
 */
export class Outbox {
  /** Bytes of each letter that is under way. */
  private readonly underWay = new Map<string, number>();
  private readonly own = new Set<string>();
  private retryMs = FIRST_RETRY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly endpoint: string) {
    addEventListener('online', () => this.flush());
    addEventListener('pagehide', () => this.sayGoodbye());
    this.flush();
  }

  /** An event names itself by an `eventId`; a click is known by its address. */
  send(path: string, body: Record<string, unknown> | null): void {
    const id = newId();
    const letter: Letter = { path, body: body && { eventId: id, ...body }, at: Date.now() };
    const name = `${START}${letter.at}-${id}`;
    for (const old of this.waiting().slice(0, 1 - MOST_WAITING)) memory.remove(old);
    memory.set(name, JSON.stringify(letter));
    this.own.add(name);
    this.deliver(name);
  }

  private waiting(): string[] {
    return memory.names(START).sort();
  }

  /** Sends again what waits. What is young and not this page's is left to the page it comes from. */
  private flush(): void {
    for (const name of this.waiting()) {
      if (this.underWay.size >= MOST_AT_ONCE) return;
      const age = Date.now() - parseInt(name.slice(START.length));
      if (!(age < OLDEST_MS)) memory.remove(name);
      else if (age > OWN_MS || this.own.has(name)) this.deliver(name);
      else this.flushIn(OWN_MS);
    }
  }

  private flushIn(ms: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, ms);
  }

  private read(name: string): { url: string; text: string } | null {
    const kept = memory.get(name);
    if (kept === null) return null;
    const { path, body, at } = JSON.parse(kept) as Letter;
    const late = Date.now() - at > LATE_MS ? { timestamp: at } : {};
    return { url: this.endpoint + path, text: body ? JSON.stringify({ ...late, ...body }) : '' };
  }

  private deliver(name: string): void {
    const letter = this.underWay.has(name) ? null : this.read(name);
    if (!letter) return;
    const { url, text } = letter;
    let bytes = text.length;
    for (const other of this.underWay.values()) bytes += other;
    this.underWay.set(name, text.length);
    // A text is a simple request: no preflight comes first. Kept alive it outlives the page.
    fetch(url, { method: 'POST', body: text, keepalive: bytes < MOST_KEPT_ALIVE, credentials: 'omit' })
      .then(({ ok, status, headers }) => {
        this.underWay.delete(name);
        if (ok || NEVER.includes(status)) this.acknowledged(name);
        else this.failed(Number(headers.get('retry-after')) * 1000);
      })
      .catch(() => {
        this.underWay.delete(name);
        this.failed(0);
      });
  }

  private acknowledged(name: string): void {
    memory.remove(name);
    this.own.delete(name);
    this.retryMs = FIRST_RETRY_MS;
    this.flush();
  }

  private failed(atLeastMs: number): void {
    if (this.timer) return;
    this.flushIn(Math.max(atLeastMs, this.retryMs));
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }

  /** The page ends: what is not under way by itself gets one more chance, and the next page has it in storage. */
  private sayGoodbye(): void {
    const outlives = 'keepalive' in Request.prototype;
    for (const name of this.own) {
      const letter = outlives && this.underWay.has(name) ? null : this.read(name);
      if (letter) navigator.sendBeacon?.(letter.url, letter.text);
    }
  }
}
