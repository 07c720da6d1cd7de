import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BehaviourVector } from '../../../../ranking/vectors/vector';

/**
 * Text that vectors begin with and repeat, so that small ones are compressed, too. Stored vectors can't be read with any other: it never
 * changes.
 */
const DICTIONARY = Buffer.from(
  ',"prices":{"price:"cart":{"at":0,"ids":[]},"visits":[["related:"attr@category:"tag@category:"category:"brand@leaf:"brand@category:' +
    '"brand:"product:{"v":1,"halfLife":{"transaction":15552000000,"cart":2592000000,"view":1209600000},"seq":","at":17,"cells":{},' +
    '"features":,"total":[',
);

/**
 * A vector as it is stored: compressed JSON. What one event adds to many features is the same numbers many times, so that it is a tenth. A
 * higher level takes twice as long and saves little.
 */
export function packedVector(vector: BehaviourVector): Buffer {
  return deflateRawSync(JSON.stringify(vector), { level: 1, dictionary: DICTIONARY });
}

/** The JSON of a stored vector; earlier versions stored it as it is. */
export function vectorText(stored: unknown): string {
  if (!(stored instanceof Uint8Array)) return String(stored);
  return inflateRawSync(stored, { dictionary: DICTIONARY }).toString('utf8');
}
