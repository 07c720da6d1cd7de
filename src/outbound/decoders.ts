import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { OutboundError } from './outbound-error';

/** What requests say they take; anything else is a bad answer. */
export const ACCEPTED_ENCODINGS = 'gzip, br';
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
};

/** In the order they have to be undone: the last one named was applied last. */
export function decodersFor(encoding: string): Transform[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > 2) throw new OutboundError('bad_answer', 'The answer is encoded more than twice');
  return names.reverse().map((name) => {
    const decoder = DECODERS[name];
    if (decoder) return decoder();
    throw new OutboundError(
      'bad_answer',
      `The answer's content-encoding "${name}" is not one of ${ACCEPTED_ENCODINGS}`,
    );
  });
}
