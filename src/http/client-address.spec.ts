import type { IncomingMessage } from 'node:http';
import fastify from 'fastify';
import { clientAddress, trustProxy } from './client-address';

describe('the address of a caller', () => {
  const told = async (
    trust: number | string[] | null,
    forwarded?: string,
  ): Promise<[ours: string, framework: string]> => {
    const app = fastify({ trustProxy: trustProxy(trust) });
    const addressOf = clientAddress(trust);
    app.get('/', (request) => ({ framework: request.ip, ours: addressOf(request.raw as IncomingMessage) }));
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { framework, ours } = (await app.inject({ url: '/', headers, remoteAddress: '10.9.9.9' })).json<{
      framework: string;
      ours: string;
    }>();
    await app.close();
    return [ours, framework];
  };

  test.each([
    ['no proxy is believed', null, '1.2.3.4', '10.9.9.9'],
    ['one is believed, and said nothing', 1, undefined, '10.9.9.9'],
    ['one is believed', 1, '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['two are believed', 2, '6.6.6.6, 1.2.3.4', '6.6.6.6'],
    ['a network is believed', ['10.0.0.0/8'], '6.6.6.6, 10.1.1.1', '6.6.6.6'],
    ['another network is believed', ['192.168.0.0/16'], '6.6.6.6', '10.9.9.9'],
    ['an IPv6 address is forwarded', 1, '2001:db8::7', '2001:db8::7'],
  ])('is what the framework says: %s', async (_what, trust, forwarded, expected) => {
    expect(await told(trust, forwarded)).toEqual([expected, expected]);
  });

  test.each([[null], [1], [['10.0.0.0/8']]])('is empty where the connection is gone, and %j is believed', (trust) => {
    const gone = { headers: {}, socket: {} } as IncomingMessage;
    expect(clientAddress(trust)(gone)).toBe('');
  });
});
