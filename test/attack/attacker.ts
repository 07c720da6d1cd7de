import { addressOf, type Call, packed, type Reply, type Send } from '../support/store-client';

/** What an attack has cost whoever made it. Bytes are those of requests and replies, without what TCP needs beside them. */
export interface Spent {
  requests: number;
  sent: number;
  answered: number;
  /** Replies by status. */
  statuses: Record<number, number>;
  /** Requests without any reply. */
  unanswered: number;
}

export const nothingSpent = (): Spent => ({ requests: 0, sent: 0, answered: 0, statuses: {}, unanswered: 0 });

/** What every request has beside what it says: its line, `Host` and the like. */
const LEAST_HEAD = 60;

/** Sends what a page could send. What fails, fails: an attacker goes on. */
export class Attacker {
  constructor(
    private readonly send: Send,
    readonly headers: Readonly<Record<string, string>>,
    readonly spent: Spent,
  ) {}

  /** Null where no reply came. */
  async call(call: Call): Promise<Reply | null> {
    const whole = { ...call, headers: { ...this.headers, ...call.headers } };
    const { spent } = this;
    spent.requests += 1;
    spent.sent += sizeOf(whole);
    try {
      const reply = await this.send(whole);
      spent.answered += Buffer.byteLength(reply.text);
      spent.statuses[reply.status] = (spent.statuses[reply.status] ?? 0) + 1;
      return reply;
    } catch {
      spent.unanswered += 1;
      return null;
    }
  }

  event(name: string, body: object): Promise<Reply | null> {
    return this.call({ method: 'POST', path: `/v7/events/views/${name}`, body });
  }
}

export function sizeOf(call: Call): number {
  const { headers, payload = '' } = packed(call);
  const names = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return LEAST_HEAD + addressOf(call).length + names + Buffer.byteLength(payload);
}

/** Some connections at once, each with the next turn after its last, until a turn says that it was enough. */
export async function onConnections(connections: number, turn: (number: number) => Promise<boolean>): Promise<void> {
  let [next, goesOn] = [0, true];
  const drive = async (): Promise<void> => {
    while (goesOn) {
      const number = next;
      next += 1;
      if (!(await turn(number))) goesOn = false;
    }
  };
  await Promise.all(Array.from({ length: connections }, drive));
}

/** As many turns as there are to be, some at once. */
export async function turns(
  count: number,
  connections: number,
  turn: (number: number) => Promise<unknown>,
): Promise<void> {
  await onConnections(connections, async (number) => {
    if (number >= count) return false;
    await turn(number);
    return number + 1 < count;
  });
}

/** Turns until a time or a number is reached, whichever comes first. */
export async function flooding(
  { ms, requests }: { ms: number; requests: number },
  connections: number,
  turn: (number: number) => Promise<unknown>,
): Promise<void> {
  const until = performance.now() + ms;
  await onConnections(connections, async (number) => {
    if (number >= requests || performance.now() >= until) return false;
    await turn(number);
    return true;
  });
}
