import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bytes. What is shorter fits into one packet as it is. */
const FROM_BYTES = 1024;
/** Brotli's own default takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

/** Replies of a kilobyte and more are compressed where the caller accepts it (contract 3). Bodies that arrive are never unpacked. */
export async function registerCompression(fastify: FastifyInstance): Promise<void> {
  await fastify.register(compress, {
    threshold: FROM_BYTES,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    zlibOptions: { level: GZIP_LEVEL },
    globalDecompression: false,
  });
}
