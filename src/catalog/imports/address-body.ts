import { z } from 'zod';
import { validate } from '../../http/validation';
import { addressFields } from '../feeds/address-fields';
import type { FeedAddress } from './feed-source';

/** A body that is longer is a feed. */
const LONGEST = 8192;

const addressSchema = z.strictObject(addressFields);

interface ReadBody {
  /** Null: the body is the feed. */
  address: FeedAddress | null;
  feed: AsyncIterable<Buffer>;
}

/** Whether a body is `{ "url" }` instead of a feed: no product is without an id. */
export async function addressIn(body: AsyncIterable<Buffer>): Promise<ReadBody> {
  const chunks = body[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let isAll = false;
  for (let length = 0; length <= LONGEST && !isAll;) {
    const next = await chunks.next();
    isAll = next.done === true;
    if (next.done) break;
    head.push(next.value);
    length += next.value.length;
  }
  const address = isAll ? addressOf(Buffer.concat(head).toString('utf8')) : null;
  return { address, feed: rest(head, chunks) };
}

async function* rest(head: readonly Buffer[], chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => chunks };
}

function addressOf(text: string): FeedAddress | null {
  if (!/^\s*\{/.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const fields = value as Record<string, unknown>;
  if (!('url' in fields) || 'id' in fields || 'products' in fields) return null;
  return validate(addressSchema, value, 'body');
}
