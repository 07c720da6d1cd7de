import { queriesAfter } from './queries-after';
import { queriesBefore } from './queries-before';
import type { ShopTable } from './shop-table';
import type { TextProduct } from './text-shop';

export type Language = ShopTable['language'];
export const languages = ['pt', 'en', 'es'] as const satisfies readonly Language[];

/** Lines of: kind | query | what is right. */
export type QueryTable = Readonly<Record<Language, string>>;

export const queryKinds = [
  'accents',
  'plurals',
  'typos',
  'hyphens',
  'units',
  'fractions',
  'models',
  'synonyms',
  'words',
  'head',
  'attribute',
] as const;
export type QueryKind = (typeof queryKinds)[number];

/** Written before or after search was worked on: the second half can't have been worked towards. */
export const halves = ['before', 'after'] as const;
export type Half = (typeof halves)[number];

const tables: Readonly<Record<Half, QueryTable>> = { before: queriesBefore, after: queriesAfter };

export interface TextQuery {
  language: Language;
  half: Half;
  kind: QueryKind;
  terms: string;
  /** Whether a product is what was asked for. */
  isRight(product: TextProduct): boolean;
}

export function textQueries(): TextQuery[] {
  return halves.flatMap((half) =>
    languages.flatMap((language) =>
      tables[half][language]
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => readQuery(line, { language, half })),
    ),
  );
}

function readQuery(line: string, from: Pick<TextQuery, 'language' | 'half'>): TextQuery {
  const [kind = '', terms = '', right = ''] = line.split('|').map((column) => column.trim());
  const known = queryKinds.find((name) => name === kind);
  if (!known || terms === '' || right === '') throw new Error(`Not a query: "${line}"`);
  return { ...from, kind: known, terms, isRight: judge(right) };
}

const FIELDS = ['kind', 'brand', 'model', 'measure', 'colour'] as const;

function judge(right: string): TextQuery['isRight'] {
  const [concepts = '', ...conditions] = right.split(' ');
  const wanted = conditions.map((condition) => {
    const colon = condition.indexOf(':');
    const field = FIELDS.find((name) => name === condition.slice(0, colon));
    if (!field) throw new Error(`"${condition}" names no field; there are ${FIELDS.join(', ')}`);
    const values = condition.slice(colon + 1).split(/,(?!\d)/);
    return { field, values: values.map((value) => value.replaceAll('_', ' ')) };
  });
  const named = concepts.split(',');
  return (product) =>
    named.includes(product.concept) && wanted.every(({ field, values }) => values.includes(product[field]));
}
