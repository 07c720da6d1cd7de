import fastify, { type FastifyInstance } from 'fastify';
import { overloaded } from '../../shared/async/overloaded';
import { registerLoadShedding } from './load-shedding';

const SEARCH = '/searchapi/v3/queries';
const EVENT = '/v7/events/views/:name';
/** Requests that are let in. */
const ROOM = 4;

describe('load shedding', () => {
  let app: FastifyInstance;
  let order: string[];
  let expected: number;

  beforeEach(async () => {
    [app, order, expected] = [fastify(), [], 0];
    registerLoadShedding(
      app,
      {
        refusal: () => {
          const refused = expected >= ROOM;
          if (!refused) expected += 1;
          order.push(refused ? 'refused' : 'let in');
          return refused ? overloaded : undefined;
        },
        answered: () => void order.push('answered'),
      },
      () => ['store', 'caller'],
    );
    const work = (): string => {
      order.push('worked');
      return 'done';
    };
    app.get(SEARCH, work);
    app.post(EVENT, work);
    app.get('/health/live', work);
    await app.ready();
  });
  afterEach(() => app.close());

  const crowd = async (path: string, method: 'GET' | 'POST' = 'GET') => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => app.inject({ method, url: path })));
    return replies.map(({ statusCode }) => statusCode);
  };

  test('who is refused does not wait for the work of those who are let in', async () => {
    const statuses = await crowd(SEARCH);
    expect(statuses.filter((status) => status === 503)).toHaveLength(12 - ROOM);
    expect(order.filter((step) => step === 'worked')).toHaveLength(ROOM);
    const done = order.slice(0, order.lastIndexOf('refused'));
    // The first finds a turn of its own.
    expect(done.filter((step) => step === 'worked').length).toBeLessThanOrEqual(1);
  });

  test('every request is answered for, however it ends', async () => {
    await crowd(SEARCH);
    expect(order.filter((step) => step === 'answered')).toHaveLength(12);
  });

  test('what may be refused is refused before it is read, and other routes never', async () => {
    expect((await crowd('/v7/events/views/home', 'POST')).filter((status) => status === 503)).toHaveLength(12 - ROOM);
    order.length = 0;
    expect(new Set(await crowd('/health/live'))).toEqual(new Set([200]));
    expect(order).not.toContain('refused');
  });
});
