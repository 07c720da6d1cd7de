import { pipeline, Readable, Transform } from 'node:stream';
import { decodersFor } from './decoders';
import { OutboundError } from './outbound-error';

/** How a body is read. `wrong`: the error to throw for one that came from below. */
export interface BodyRules {
  /** `content-encoding` of the answer; empty where there is nothing to decode. */
  encoding: string;
  maxBytes: number;
  wrong: (error: unknown) => unknown;
}

/** The decoded body. At most `maxBytes` arrive, and at most so many come out: a small file may unfold into a very large one. */
export function limitedBody(body: Readable, { encoding, maxBytes, wrong }: BodyRules): Readable {
  const decoders = decodersFor(encoding);
  if (decoders.length === 0) return translated(limited(body, [atMost(maxBytes)]), wrong);
  return translated(limited(body, [atMost(maxBytes), ...decoders, atMost(maxBytes)]), wrong);
}

const limited = (body: Readable, steps: Transform[]): Readable =>
  // A failure destroys the last step, whose reader hears of it.
  steps.reduce((from: Readable, step) => pipeline(from, step, () => undefined), body);

function atMost(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else done(tooLarge(maxBytes));
    },
  });
}

export const tooLarge = (maxBytes: number): OutboundError =>
  new OutboundError('too_large', `The answer is larger than the ${maxBytes} bytes that are taken`);

function translated(body: Readable, wrong: (error: unknown) => unknown): Readable {
  const chunks = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body) yield chunk as Buffer;
    } catch (error) {
      throw wrong(error);
    }
  };
  const answer = Readable.from(chunks(), { objectMode: false });
  // Whoever stops reading, or never begins, ends the transfer with it.
  answer.once('close', () => body.destroy());
  return answer;
}
