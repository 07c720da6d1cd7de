import { z } from 'zod';
import { levelsOf, joinLevels } from '../vectors/category-path';
import { levelKey, plainWords } from '../vectors/features';
import { queryPattern } from './query-pattern';

/** What is ranked: a search's words, the categories it is kept to, where the request comes from. Absent: no particular one. */
export interface TemplateContext {
  query?: string | undefined;
  /** Paths of the categories that are shown, and no others. */
  categories?: readonly string[] | undefined;
  source?: string | undefined;
}

export const contextName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i, 'letters, digits, "-" and "_", up to 64');

const values = <T extends z.ZodType>(value: T) => z.array(value).min(1).max(100).optional();
const pattern = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => plainWords(text).length > 0, 'a letter or a digit is needed; "*" stands for any text');

/** All that is given has to hold; of a list, any of its values. */
export const templateWhen = z
  .strictObject({
    queries: values(pattern),
    categories: values(z.string().min(1).max(256)),
    sources: values(z.string().min(1).max(256)),
  })
  .refine((when) => Object.values(when).some((list) => list !== undefined), 'queries, categories or sources is needed');
export type TemplateWhen = z.output<typeof templateWhen>;

/** Whether a template's context applies. */
export function contextCheck(when: TemplateWhen): (context: TemplateContext) => boolean {
  const patterns = when.queries?.map(queryPattern);
  const paths = when.categories?.flatMap(readings);
  const sources = when.sources && new Set(when.sources.map((source) => source.toLowerCase()));
  return ({ query, categories = [], source }) => {
    if (patterns && !patterns.some((fits) => fits(query ?? ''))) return false;
    if (paths && !(categories.length > 0 && categories.every((shown) => isWithin(shown, paths)))) return false;
    return !sources || sources.has((source ?? '').toLowerCase());
  };
}

/** Paths that a text may be: a `/` with spaces around it may also be part of a name, `TV / Video`. */
function readings(text: string): string[] {
  const split = [levelsOf(text), text.split(/(?<!\s)\/(?!\s)/)];
  return [...new Set(split.map((levels) => joinLevels(levels.map(levelKey))))];
}

const isWithin = (path: string, tops: readonly string[]): boolean =>
  tops.some((top) => path === top || path.startsWith(`${top}/`));
