import { plain } from './attributes.js';
import type { Highlighted, Params } from './types.js';

/** Attributes of a hit in which words are marked, where a request does not say. */
const HIGHLIGHTED = ['name', 'brand', 'description', 'categories', 'tags', 'details', 'query'];
/** Shorter words are no other form of a longer one. */
const SHORTEST_STEM = 4;
const LONGEST_ENDING = 2;
const SNIPPET_WORDS = 10;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

export interface Marks {
  pre: string;
  post: string;
  /** Normalised words of the query. */
  words: readonly string[];
}

export type Marked = Highlighted | Marked[] | { [name: string]: Marked };

/** What a request wants marked: the words of the query, and those it was corrected to. */
export function marksOf(params: Params, searched: readonly string[]): Marks {
  const words = searched.flatMap((text) => plain(text).match(WORD) ?? []);
  return {
    pre: params.highlightPreTag ?? '<em>',
    post: params.highlightPostTag ?? '</em>',
    words: [...new Set(words)],
  };
}

/** A word of a text matches the beginning that was typed, and another form of it. */
const matches = (word: string, typed: string): boolean =>
  word.startsWith(typed) ||
  (word.length >= SHORTEST_STEM && typed.startsWith(word) && typed.length - word.length <= LONGEST_ENDING);

export function markText(text: string, { pre, post, words }: Marks): Highlighted {
  const matched = new Set<string>();
  const value = text.replace(WORD, (word) => {
    const own = plain(word);
    const found = words.filter((typed) => matches(own, typed));
    for (const one of found) matched.add(one);
    return found.length > 0 ? pre + word + post : word;
  });
  const matchLevel = matched.size === 0 ? 'none' : matched.size < words.length ? 'partial' : 'full';
  return { value, matchLevel, matchedWords: [...matched] };
}

/** Texts in lists and objects, too. */
function marked(value: unknown, marks: Marks): Marked | undefined {
  if (typeof value === 'string') return markText(value, marks);
  if (Array.isArray(value)) return value.flatMap((one: unknown) => marked(one, marks) ?? []);
  if (value === null || typeof value !== 'object') return undefined;
  const entries = Object.entries(value).flatMap(([name, one]): [string, Marked][] => {
    const inside = marked(one, marks);
    return inside ? [[name, inside]] : [];
  });
  return Object.fromEntries(entries);
}

export function highlights(hit: object, params: Params, marks: Marks): Record<string, Marked> {
  const wanted = params.attributesToHighlight;
  const names = !wanted || wanted.includes('*') ? HIGHLIGHTED : wanted;
  return picked(hit, names, (value) => marked(value, marks));
}

/** `description:20`: twenty words around the first match. */
export function snippets(hit: object, params: Params, marks: Marks): Record<string, Marked> {
  const wanted = new Map(
    (params.attributesToSnippet ?? []).map((written) => {
      const [name = '', words] = written.split(':');
      return [name === '*' ? 'description' : name, Number(words) || SNIPPET_WORDS];
    }),
  );
  const ellipsis = params.snippetEllipsisText ?? '…';
  return picked(hit, [...wanted.keys()], (value, name) =>
    typeof value === 'string'
      ? markText(cut(value, { words: wanted.get(name) ?? SNIPPET_WORDS, ellipsis, marks }), marks)
      : marked(value, marks),
  );
}

function picked(
  hit: object,
  names: readonly string[],
  mark: (value: unknown, name: string) => Marked | undefined,
): Record<string, Marked> {
  const entries = names.flatMap((name): [string, Marked][] => {
    const found = Object.hasOwn(hit, name) ? mark((hit as Record<string, unknown>)[name], name) : undefined;
    return found ? [[name, found]] : [];
  });
  return Object.fromEntries(entries);
}

function cut(text: string, { words, ellipsis, marks }: { words: number; ellipsis: string; marks: Marks }): string {
  const all = text.split(/\s+/).filter((word) => word !== '');
  const first = all.findIndex((word) => markText(word, marks).matchLevel !== 'none');
  const from = Math.max(0, Math.min(first - Math.floor(words / 2), all.length - words));
  const shown = all.slice(from, from + words).join(' ');
  return `${from > 0 ? ellipsis : ''}${shown}${from + words < all.length ? ellipsis : ''}`;
}
