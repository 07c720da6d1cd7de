import { Chance, Zipf } from '../data/chance';
import type { BenchRequest } from './connection';
import type { LoadRequests } from './tasks';

/** The next request of a load, and the next, without end. */
export function requestSource(requests: LoadRequests): () => BenchRequest {
  if (requests.kind === 'list') {
    const { list } = requests;
    let next = 0;
    return () => {
      const request = list[next++ % list.length];
      if (!request) throw new Error('An empty list of requests');
      return request;
    };
  }
  const { products, users, keys, seed } = requests;
  const chance = new Chance(seed);
  const popular = new Zipf(products);
  const run = `${seed}-${process.pid}`;
  let sent = 0;
  return () => {
    const body = {
      ...keys,
      eventId: `${run}-${sent++}`,
      userId: `visitor-${seed}-${chance.below(users)}`,
      pid: `p${popular.draw(chance)}`,
      source: 'desktop',
    };
    return { method: 'POST', path: '/v7/events/views/product', body: JSON.stringify(body) };
  };
}
