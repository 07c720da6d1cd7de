import { plainWords } from '../vectors/features';

const plain = (text: string): string => plainWords(text).join(' ');

/** `capa*` -> whether a query is words that begin with "capa". Accents, case and punctuation are of no account. */
export function queryPattern(text: string): (query: string) => boolean {
  const parts = text.split('*');
  if (parts.length === 1) return (query) => plain(query) === plain(text);
  const [first = '', ...rest] = parts.map((part, index) =>
    spaced(part, { first: index === 0, last: index === parts.length - 1 }),
  );
  const last = rest.pop() ?? '';
  return (query) => {
    const typed = plain(query);
    if (!typed.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = typed.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return typed.length - last.length >= at && typed.endsWith(last);
  };
}

/** A part of a pattern, plain; a space beside a `*` is a space of the query. */
function spaced(part: string, { first, last }: { first: boolean; last: boolean }): string {
  const words = plain(part);
  if (words === '') return part.trim() === '' && part !== '' ? ' ' : '';
  return `${!first && /^\s/.test(part) ? ' ' : ''}${words}${!last && /\s$/.test(part) ? ' ' : ''}`;
}
