/** An attribute of a widget: the facet of the service it means, and the level of the category tree (from 0). */
export interface Attribute {
  /** As filters in words name it: `brand`, `spec.size`. */
  name: string;
  level?: number;
}

/** Other spellings that stores already have in their pages. */
const ALIASES: Readonly<Record<string, string>> = {
  categories: 'category',
  hierarchicalcategories: 'category',
  tags: 'tag',
  status: 'availability',
};
const FAMILIES: Readonly<Record<string, string>> = { spec: 'spec', specs: 'spec', detail: 'detail', details: 'detail' };

/** As the service compares texts: lower case without accents, white space collapsed. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** `hierarchicalCategories.lvl1` -> `category`, level 1; `specs.Tamanho` -> `spec.tamanho`. */
export function attributeOf(written: string): Attribute {
  const level = /^(.+)\.lvl(\d+)$/.exec(written);
  if (level) return { name: aliasOf(level[1] ?? ''), level: Number(level[2]) };
  const dot = written.indexOf('.');
  const family = dot > 0 ? FAMILIES[written.slice(0, dot).toLowerCase()] : undefined;
  // Neither of the two can be in the name of a facet.
  if (family) return { name: `${family}.${plain(written.slice(dot + 1).replace(/[:*]/g, ' '))}` };
  return { name: aliasOf(written) };
}

function aliasOf(written: string): string {
  const name = plain(written);
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name;
}

/** A filter in words. */
export function filterOf({ name, level }: Attribute, value: string, separator: string): string {
  if (name !== 'category') return `${name}:${value}`;
  // `/` stands between levels, and counts as a space within one.
  const levels = level === undefined ? [value] : value.split(separator);
  return `category:${levels.map((label) => label.replaceAll('/', ' ').trim()).join('/')}`;
}
