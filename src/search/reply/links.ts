import { type LinkContext, textOf } from './link-context';

/** A relative link with some parameters replaced (undefined: left out). `page` comes last, as clients expect. */
export function linkTo(context: LinkContext, changes: Record<string, string | string[] | undefined> = {}): string {
  const { path, texts } = context;
  const newText = (name: string): string => {
    const value = changes[name];
    return value === undefined ? '' : `&${textOf(name, value)}`;
  };
  let query = '';
  let page = '';
  const add = (name: string, text: string): void => {
    if (name === 'page') page = text;
    else query += text;
  };
  for (const [name, text] of texts) add(name, Object.hasOwn(changes, name) ? newText(name) : `&${text}`);
  for (const name of Object.keys(changes)) if (!texts.has(name)) add(name, newText(name));
  query += page;
  return query === '' ? path : `${path}?${query.slice(1)}`;
}

/** Stands for the value in a link that is made once. No encoded value contains `=`, so the position is found again. */
const OPEN = 'open';

/** What is before and behind the last value of a list in a link, where the others are `before`. `page` is left out. */
export function aroundValue(
  context: LinkContext,
  name: string,
  before: readonly string[],
): [head: string, tail: string] {
  const whole = linkTo(context, { [name]: [...before, OPEN], page: undefined });
  const end = whole.lastIndexOf(`${name}=${OPEN}`) + name.length + 1;
  return [whole.slice(0, end), whole.slice(end + OPEN.length)];
}

export function pagination(
  context: LinkContext,
  { page, perPage, size, deepest }: { page: number; perPage: number; size: number; deepest: number },
) {
  const pages = perPage === 0 ? 1 : Math.max(1, Math.ceil(Math.min(size, deepest) / perPage));
  const last = perPage === 0 ? 1 : Math.min(pages, Math.max(1, Math.floor(deepest / perPage)));
  const at = (number: number) => linkTo(context, { page: String(number) });
  return {
    first: at(1),
    last: at(last),
    ...(page < last ? { next: at(page + 1) } : {}),
    ...(page > 1 ? { prev: at(Math.min(page - 1, last)) } : {}),
  };
}
