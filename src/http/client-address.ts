import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Settings } from '../config/settings';

/** Which proxies are believed, as Fastify wants it. */
export function trustProxy(
  trust: Settings['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (trust === null) return false;
  return typeof trust === 'number' ? (_address, hop): boolean => hop < trust : [...trust];
}

/** Tells the address of a caller as `request.ip` does, of a request that Fastify has not seen. Empty where the connection is gone already. */
export function clientAddress(trust: Settings['trustProxy']): (request: IncomingMessage) => string {
  const trusted = trustProxy(trust);
  if (typeof trusted === 'boolean') return ({ socket }) => socket.remoteAddress ?? '';
  const believed = typeof trusted === 'function' ? trusted : proxyAddress.compile(trusted);
  // Whatever its type says: a connection that was reset has no address any more.
  return (request) => (proxyAddress(request, believed) as string | undefined) ?? '';
}
