import { type Attack, finding } from '../attack';
import { flooding } from '../attacker';

const HEAD_BYTES = 60_000;
const NAME_BYTES = 50;
const FILTERS = 200;
const MOST_FILTERS = 100;
/** Whatever is asked, a reply is no longer than this many times an ordinary one. */
const MOST_TIMES = 1.2;
const KILO = 1000;
/** Of a reply whose links have to name the filters it was asked with. Bytes. */
const MOST_BYTES = 1_000_000;

/** A long question that every link of the reply repeats. */
export const replies: Attack = {
  name: 'replies',
  title: '60 KB of unknown parameters, and more than 100 filters, in a search',
  shop: 'large',
  short: true,
  async begin(ground) {
    const { store } = ground.shop;
    const attacker = ground.attacker(store);
    const path = '/searchapi/v3/queries';
    const plain = { filter: 'price:1..100000', resultsPerPage: 1 };
    const unknown: Record<string, string> = {};
    for (let bytes = 0; bytes < HEAD_BYTES; bytes += NAME_BYTES) unknown[`x${bytes}`] = 'y'.repeat(NAME_BYTES - 10);
    const prices = (count: number): string[] =>
      Array.from({ length: count }, (_, number) => `price:${number}..${number + 1000}`);
    const long = Array.from({ length: 50 }, (_, number) => `brand:${'z'.repeat(1000)}${number}`);
    const size = async (
      query: Record<string, string | number | string[]>,
    ): Promise<{ status: number; bytes: number }> => {
      const reply = await attacker.call({ path, query });
      return { status: reply?.status ?? 0, bytes: Buffer.byteLength(reply?.text ?? '') };
    };
    const ask = (): Promise<unknown> => attacker.call({ path, query: { ...plain, ...unknown } });
    return {
      strike: () => flooding({ ...ground.flood, requests: ground.flood.requests / 4 }, 4, ask),
      judge: async () => {
        const usual = await size(plain);
        const asked = await size({ ...plain, ...unknown });
        const many = await size({ filter: prices(FILTERS) });
        const allowed = await size({ filter: prices(MOST_FILTERS), resultsPerPage: 1 });
        const longest = await size({ filter: ['price:1..100000', ...long], resultsPerPage: 1 });
        const times = asked.bytes / usual.bytes;
        const kilobytes = (bytes: number): string => `${Math.round(bytes / KILO).toLocaleString('en-US')} KB`;
        return [
          finding(
            'reply to 60 KB of unknown parameters',
            `${kilobytes(asked.bytes)}, ${times.toFixed(2)} x one without`,
            `at most ${MOST_TIMES} x`,
            times <= MOST_TIMES,
          ),
          finding(`${FILTERS} filters`, many.status, '400', many.status === 400),
          finding(
            `reply to ${MOST_FILTERS} filters`,
            kilobytes(allowed.bytes),
            'under 1 MB',
            allowed.bytes < MOST_BYTES,
          ),
          finding('reply to 50 KB of filters', kilobytes(longest.bytes), 'under 1 MB', longest.bytes < MOST_BYTES),
        ];
      },
    };
  },
};
