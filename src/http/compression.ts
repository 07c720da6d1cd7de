import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addVary } from './entity-tag';

/** Bytes. What is shorter fits into one packet as it is. */
const FROM_BYTES = 1024;
/** Brotli's own default takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

/** Replies of a kilobyte and more are compressed where the caller accepts it (contract 3). Bodies that arrive are never unpacked. */
export async function registerCompression(fastify: FastifyInstance): Promise<void> {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isCompressible(reply, payload)) addVary(reply, 'accept-encoding');
    done();
  });
  await fastify.register(compress, {
    threshold: FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    zlibOptions: { level: GZIP_LEVEL },
    globalDecompression: false,
  });
}

const TEXTS = /^(?:text\/|application\/(?:json|javascript|xml|[\w.-]+\+json)|image\/svg)/;

/** Whether another caller might get it compressed: a cache must know, also where this one does not. */
function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  if (!TEXTS.test(String(reply.getHeader('content-type') ?? ''))) return false;
  if (typeof payload === 'string') return Buffer.byteLength(payload) >= FROM_BYTES;
  return Buffer.isBuffer(payload) ? payload.length >= FROM_BYTES : Boolean(payload);
}
