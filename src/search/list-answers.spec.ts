import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoadControl } from '../http/load/load-control';
import type { Caller } from '../stores/store';
import { ListAnswers } from './list-answers';

describe('a list that is answered', () => {
  const load = { read: (_names: unknown, _request: unknown, work: (until: number) => Promise<void>) => work(Infinity) };
  const answers = new ListAnswers(load as unknown as LoadControl);
  const caller = { store: { id: 's' }, method: 'keys', address: '' } as unknown as Caller;

  async function sentBy(isSent: () => boolean): Promise<unknown[]> {
    const sent: unknown[] = [];
    const reply = {
      get sent() {
        return isSent();
      },
      type: () => reply,
      send: (body: unknown) => sent.push(body),
    } as unknown as FastifyReply;
    const asking = { caller, parameters: { userId: 'ana' }, request: {} as FastifyRequest, reply };
    await answers.answer(asking as never, () => Promise.resolve({ a: 1 }));
    return sent;
  }

  test('is sent as bytes', async () => {
    expect((await sentBy(() => false)).map(String)).toEqual(['{"a":1}']);
  });

  test('is not sent where an error was meanwhile', async () => {
    expect(await sentBy(() => true)).toEqual([]);
  });
});
