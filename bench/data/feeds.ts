import type { BenchCatalog } from './catalog';

export const feedFormats = ['ndjson', 'json', 'csv', 'google-xml', 'google-tsv'] as const;
export type FeedFormat = (typeof feedFormats)[number];

type Fields = Record<string, unknown>;

/** Lines of a chunk. */
const CHUNK = 500;
const COLUMNS = ['id', 'name', 'url', 'price', 'image', 'categories', 'status', 'brand', 'description'] as const;
const GOOGLE = ['id', 'title', 'link', 'price', 'image_link', 'product_type', 'availability', 'brand', 'description'];

/** The fields of a product that every format has, in the order of `COLUMNS`. */
function cellsOf(product: Fields): string[] {
  const images = product['images'] as { default: string };
  const path = ([product['categories']].flat() as unknown[]).map(nameOf).join(' > ');
  const { id, name, url, price, status, brand, description } = product;
  return [id, name, url, price, images.default, path, status, brand, description].map((cell) => String(cell ?? ''));
}

const nameOf = (category: unknown): string =>
  typeof category === 'string' ? category : String((category as { name: string }).name);
const quoted = (cells: readonly string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function lineOf(format: FeedFormat, product: Fields, isFirst: boolean): string {
  if (format === 'ndjson') return JSON.stringify(product);
  if (format === 'json') return `${isFirst ? '' : ','}${JSON.stringify(product)}`;
  if (format === 'csv') return quoted(cellsOf(product));
  const cells = cellsOf(product).map((cell) => cell.replaceAll(/\s+/g, ' '));
  if (format === 'google-tsv') return cells.join('\t');
  const fields = cells.map((cell, index) => `<g:${GOOGLE[index]}>${escaped(cell)}</g:${GOOGLE[index]}>`);
  return `<item>${fields.join('')}</item>`;
}

const FRAMES: Readonly<Record<FeedFormat, readonly [string, string]>> = {
  ndjson: ['', ''],
  json: ['[\n', ']'],
  csv: [`${COLUMNS.join(',')}\n`, ''],
  'google-xml': ['<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0"><channel>\n', '</channel></rss>'],
  'google-tsv': [`${GOOGLE.join('\t')}\n`, ''],
};

/** A feed of so many products, made as it is sent. Every `changedEvery`th costs something else. */
export function* feedOf(
  catalog: BenchCatalog,
  format: FeedFormat,
  { lines, changedEvery = 0 }: { lines: number; changedEvery?: number },
): Generator<string> {
  const [begin, end] = FRAMES[format];
  let chunk = begin;
  for (let number = 0; number < lines; number += 1) {
    const sent = catalog.sent(number) as Fields;
    const product = changedEvery > 0 && number % changedEvery === 0 ? { ...sent, price: 1 } : sent;
    chunk += `${lineOf(format, product, number === 0)}\n`;
    if (number % CHUNK < CHUNK - 1) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk + end;
}
