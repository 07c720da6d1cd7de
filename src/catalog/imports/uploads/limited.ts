import { ApiError } from '../../../shared/api-error';
import { FEED_LIMITS, inMib } from '../limits';

/** A body, or a piece of one, of which so many bytes are taken. More of it throws 413. */
export async function* limited(body: AsyncIterable<Buffer>, most = FEED_LIMITS.body): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) {
      throw new ApiError('body_too_large', `A feed may have up to ${inMib(FEED_LIMITS.body)}: send it compressed`);
    }
    yield chunk;
  }
}
