import type { BehaviourVector } from '../../../../ranking/vectors/vector';
import { PackedText } from '../../../../storage/sqlite/packed-text';

/**
 * What one event adds to many features is the same numbers many times, so that a compressed vector is a tenth. A higher level takes twice as
 * long and saves little.
 */
const vectors = new PackedText(
  ',"prices":{"price:"cart":{"at":0,"ids":[]},"visits":[["related:"attr@category:"tag@category:"category:"brand@leaf:"brand@category:' +
    '"brand:"product:{"v":1,"halfLife":{"transaction":15552000000,"cart":2592000000,"view":1209600000},"seq":","at":17,"cells":{},' +
    '"features":,"total":[',
  1,
);

/** A vector as it is stored: compressed JSON. */
export const packedVector = (vector: BehaviourVector): Buffer => vectors.pack(JSON.stringify(vector));

/** The JSON of a stored vector. */
export const vectorText = (stored: unknown): string => vectors.unpack(stored);
