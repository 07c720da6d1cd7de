import { encode } from 'iconv-lite';
import { FEED_LIMITS } from '../limits';
import type { FeedEntry, FeedSyntax } from './feed-format';
import { findSyntax } from './find-syntax';
import { readFeed } from './read-feed';

const limits = { ...FEED_LIMITS, item: 1000, withoutEnd: 5000 };

/** In chunks that cut everything in two. */
const chunksOf = (feed: Buffer | string, size = 3) =>
  async function* (): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(feed);
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  };

async function entries(feed: Buffer | string, said: FeedSyntax = {}): Promise<FeedEntry[]> {
  const read = chunksOf(feed);
  const all: FeedEntry[] = [];
  for await (const some of readFeed(read(), await findSyntax(read, said), limits)) all.push(...some);
  return all;
}

const rows = async (feed: Buffer | string, said: FeedSyntax = {}): Promise<unknown[]> =>
  (await entries(feed, said)).map((entry) => ('row' in entry ? entry.row : `${entry.line}: ${entry.problem.message}`));

describe('what a feed is', () => {
  const google = 'id\ttitle\tlink\n1\tA\thttps://l';
  it.each([
    ['[{"id":1}]', 'json'],
    ['{ "products": [] }', 'json'],
    ['{\n  "products": []\n}', 'json'],
    ['{"id":1}\n{"id":2}', 'ndjson'],
    ['\uFEFF{"id":1}', 'ndjson'],
    ['  <?xml version="1.0"?><rss/>', 'google-xml'],
    [google, 'google-tsv'],
    ['id\tname\n1\tA', 'csv'],
    ['id,name\n1,A', 'csv'],
  ])('%j is found to be %s', async (feed, format) => {
    expect((await findSyntax(chunksOf(feed), {})).format).toBe(format);
  });

  it.each([
    [Buffer.from('id,name\n1,Café'), 'utf-8', ','],
    [encode('id;name\n1;Café', 'windows-1252'), 'windows-1252', ';'],
    [encode('id|name\n1|Café', 'utf-16le', { addBOM: true }), 'utf-16le', '|'],
    [encode('id\tname\n1\tCafé', 'utf-16be'), 'utf-16be', '\t'],
  ])('the encoding and the delimiter of a table are found out: %#', async (feed, encoding, delimiter) => {
    expect(await findSyntax(chunksOf(feed), { format: 'csv' })).toMatchObject({ encoding, delimiter });
    expect(await rows(feed, { format: 'csv' })).toEqual([{ id: '1', name: 'Café' }]);
  });

  it('is what was said, where it was', async () => {
    expect(await rows("id;name\n'1';'a;b'", { format: 'csv', delimiter: ';', quote: "'" })).toEqual([
      { id: '1', name: 'a;b' },
    ]);
  });
});

describe('reading a feed', () => {
  it('takes JSON apart product by product, in chunks of a few bytes', async () => {
    const products = Array.from({ length: 300 }, (_, index) => ({ id: `p${index}`, name: 'é"\\', deep: [{ a: [1] }] }));
    expect(await rows(JSON.stringify(products))).toEqual(products);
    expect(await rows(JSON.stringify({ made: 'by hand', products, of: {} }, null, 2))).toEqual(products);
    expect(await rows('[1, {"id":2}]')).toEqual(['1: A product is a JSON object', { id: 2 }]);
    expect(await rows('[]')).toEqual([]);
  });

  it.each([
    ['[{"id":1},', {}, 'cut off'],
    ['[{"id":1}{', {}, 'not valid JSON'],
    ['"text"', { format: 'json' }, 'neither a list nor an object'],
    [`[{"id":"${'x'.repeat(9000)}"}]`, {}, 'No product ends within'],
    ['', {}, 'empty'],
    ['id,name\n1,"open', {}, 'A quote is left open'],
    ['id,id\n1,2', {}, 'Two columns are called "id"'],
    ['<rss><channel><item></channel></rss>', {}, 'refused at line 1'],
    ['<rss>&nbsp;</rss>', {}, 'refused at line 1'],
    ['<!DOCTYPE rss SYSTEM "file:///etc/passwd"><rss/>', {}, 'document type'],
    [`<rss><item><title>${'x'.repeat(9000)}</title></item></rss>`, {}, 'no element ends within'],
    [`<rss>${'<a>'.repeat(40)}</rss>`, {}, 'nests deeper'],
    ['<rss><channel>', {}, 'refused at line 1'],
  ] as const)('gives up on %j', async (feed, said, message) => {
    await expect(entries(feed, said)).rejects.toThrow(message);
  });

  it('names rows that do not fit their names, and reads on', async () => {
    const table = ['id,name', '1,A', '2,B,C', '3', '', '4,"D\nd",', '5,27" screen'].join('\r\n');
    expect(await rows(table)).toEqual([
      { id: '1', name: 'A' },
      '3: The row has 3 cells, the row of names 2',
      '4: The row has 1 cells, the row of names 2',
      { id: '4', name: 'D\nd' },
      { id: '5', name: '27" screen' },
    ]);
  });

  it('names products that are too long or too deep, and reads on', async () => {
    const long = JSON.stringify({ id: 'x'.repeat(1500) });
    expect(await rows(`${long}\n{"id":2}`)).toEqual(['1: The line is longer than the 1000 bytes accepted', { id: 2 }]);
    const xml = `<rss><item><t>${'x'.repeat(1500)}</t></item><item><g:id>2</g:id></item></rss>`;
    expect(await rows(xml)).toEqual(['1: The item is longer than the 1000 bytes accepted', { id: '2' }]);
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    expect(await rows(`[{"id":${deep}},{"id":2}]`)).toEqual(['1: A product nests at most 32 levels deep', { id: 2 }]);
  });

  it('reads items of RSS and entries of Atom alike', async () => {
    const item = `<g:id>1</g:id><title><![CDATA[A & B]]></title><g:additional_image_link>i</g:additional_image_link>
      <g:additional_image_link>j</g:additional_image_link><g:installment><g:months>3</g:months></g:installment><g:brand/>`;
    const row = { id: '1', title: 'A & B', additional_image_link: ['i', 'j'], installment: { months: '3' } };
    expect(await rows(`<rss><channel><title>T</title><item>${item}</item></channel></rss>`)).toEqual([row]);
    expect(await rows(`<feed><title>T</title><entry>${item}<link href="https://l"/></entry></feed>`)).toEqual([
      { ...row, link: 'https://l' },
    ]);
    const latin = encode(
      `<?xml version="1.0" encoding="ISO-8859-1"?><rss><item><title>Café</title></item></rss>`,
      'latin1',
    );
    expect(await rows(latin)).toEqual([{ title: 'Café' }]);
  });
});
