import { storeAmount } from './amounts';

/** What a text of a feed means depends on the store and on the feed. */
export interface TextContext {
  /** The store's. */
  currency: string;
  /** Whether amounts in this feed have decimal commas. */
  decimalComma: boolean;
  /** When the feed came, epoch ms. */
  now: number;
}

type Fields = Record<string, unknown>;

const AMOUNTS = new Set(['price', 'oldPrice', 'installment.price']);
const LISTS = new Set(['tags']);
const NEVER_SET = new Set(['__proto__', 'constructor', 'prototype']);

/** Sets a field by its path, such as `images.default`; `image` is short for that. A text is read as its field has to be. */
export function setField(fields: Fields, path: string, value: unknown, context: TextContext): void {
  const names = (path === 'image' ? 'images.default' : path).split('.');
  const field = names.join('.');
  if (names.some((name) => name === '' || NEVER_SET.has(name))) return;
  let part = fields;
  for (const name of names.slice(0, -1)) {
    const known = part[name];
    const inner: Fields = typeof known === 'object' && known !== null && !Array.isArray(known) ? { ...known } : {};
    part[name] = inner;
    part = inner;
  }
  part[names.at(-1) ?? field] = typeof value === 'string' ? readText(field, value, context) : value;
}

function readText(field: string, text: string, { currency, decimalComma }: TextContext): unknown {
  if (AMOUNTS.has(field)) return storeAmount(text, currency, decimalComma);
  if (LISTS.has(field)) return parts(text);
  if (field === 'categories') return paths(text);
  if (field === 'status') return statusOf(text);
  if (JSON_FIELDS.has(field)) return jsonOr(text);
  return text;
}

/** Fields that hold objects: a table has them as JSON. */
const JSON_FIELDS = new Set([
  'skus',
  'specs',
  'details',
  'images',
  'installment',
  'salesChannels',
  'customBusiness',
  'rating',
]);

const parts = (text: string): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `A > B | C > D`: a path, or several. A list of plain names would be one path: where there are several, each says so by its mark. */
function paths(text: string): string | string[] {
  const found = parts(text);
  return found.length > 1 && found.every((path) => path.includes('>')) ? found : text;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const AVAILABLE = new Set(['available', 'in stock', 'preorder', 'pre order', 'backorder', 'limited availability']);
const UNAVAILABLE = new Set(['unavailable', 'out of stock', 'sold out', 'discontinued']);

/** As Google's and schema.org's feeds say it; what is not known stays as it is, so that validation names it. */
export function statusOf(text: string): string {
  const words = text
    .replace(/^https?:\/\/schema\.org\//i, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .trim()
    .toLowerCase();
  if (AVAILABLE.has(words)) return 'available';
  return UNAVAILABLE.has(words) ? 'unavailable' : text;
}
