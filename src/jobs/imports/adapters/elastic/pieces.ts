/** A stream in pieces of one size, the last one as long as it is; nothing of an empty stream. */
export async function* piecesOf(stream: AsyncIterable<Buffer | string>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (length + rest.length >= size) {
      const end = size - length;
      yield Buffer.concat([...held, rest.subarray(0, end)]);
      rest = rest.subarray(end);
      held = [];
      length = 0;
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(held);
}
