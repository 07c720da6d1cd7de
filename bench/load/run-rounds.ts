import { Chance } from '../data/chance';
import { Connection, expectSuccess } from './connection';
import type { LoadTask, Question } from './tasks';

export async function runRounds({ rounds, seed }: Extract<LoadTask, { kind: 'rounds' }>) {
  const connections = new Map<number, Connection>();
  const to = (port: number): Connection => {
    const known = connections.get(port) ?? new Connection(port);
    connections.set(port, known);
    return known;
  };
  const timed = async ({ port, requests }: Question): Promise<number> => {
    const connection = to(port);
    const started = performance.now();
    const replies = [];
    for (const request of requests) replies.push(await connection.send(request));
    const elapsed = performance.now() - started;
    replies.forEach((reply, place) => expectSuccess(reply, requests[place]?.path ?? ''));
    return elapsed;
  };
  const chance = new Chance(seed);
  const ways: number[][] = (rounds[0] ?? []).map(() => []);
  for (const round of rounds) {
    for (const [way, question] of shuffled([...round.entries()], chance)) ways[way]?.push(await timed(question));
  }
  for (const connection of connections.values()) connection.close();
  return { latencies: [], ways };
}

/** So that no way of asking always pays for what another finds cached. */
function shuffled<T>(items: T[], chance: Chance): T[] {
  for (let place = items.length - 1; place > 0; place--) {
    const other = chance.below(place + 1);
    [items[place], items[other]] = [items[other] as T, items[place] as T];
  }
  return items;
}
