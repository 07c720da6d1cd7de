/** Parameter names of every interface, as the contract spells them; requests may write them in any casing. */
export const canonicalParameters: readonly string[] = `
  apiKey secretKey userId deviceId source salesChannel
  terms pids page resultsPerPage sortBy filter showOnlyAvailable productFormat hide
  personalize allowRedirect explain ranking p topsearch origin
  category multicategory fields name prefix resultsQueries resultsProducts categoryId
  trackingId interactionType hash redirect conv cUID
  placement widgets categories id search url
  mode format force store kind state from to limit
`
  .trim()
  .split(/\s+/);

const canonical = new Map(canonicalParameters.map((name) => [name.toLowerCase(), name]));

/** What storefront scripts send for a variable that holds nothing. */
const ABSENT = new Set(['', 'undefined', 'NaN', 'null']);

export type QueryValues = Record<string, string | string[]>;

/**
 * A query string as the interfaces read it: known names in their canonical casing, unknown ones as they came; a list
 * for `key[]`, `key[0]` and repeated keys; absent values left out. `+` and `%20` are spaces; an escape that is broken
 * stays as it is, since links passed through many hands end in one.
 */
export function parseQueryString(text: string): QueryValues {
  const values: QueryValues = Object.create(null) as QueryValues;
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const rawName = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (rawName === '' || ABSENT.has(value)) continue;
    const bare = rawName.replace(/\[\d{0,4}\]$/, '');
    const name = canonical.get(bare.toLowerCase()) ?? bare;
    if (name === '__proto__') continue;
    add(values, name, value, bare !== rawName);
  }
  return values;
}

function add(values: QueryValues, name: string, value: string, list: boolean): void {
  const before = values[name];
  if (before === undefined) values[name] = list ? [value] : value;
  else if (Array.isArray(before)) before.push(value);
  else values[name] = [before, value];
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** A URL for a log line: without the values of parameters that prove or name somebody. */
export function redactUrl(url: string): string {
  const question = url.indexOf('?');
  if (question < 0) return url;
  const pairs = url.slice(question + 1).split('&');
  const clean = pairs.map((pair) => {
    // Twice: what is encoded once too often opens nothing, and is a secret all the same.
    const name = decode(decode(pair.split('=', 1)[0] ?? '')).toLowerCase();
    return /secret|token|password|hash|conv|userid|deviceid|cuid/.test(name)
      ? `${pair.split('=', 1)[0]}=[redacted]`
      : pair;
  });
  return `${url.slice(0, question)}?${clean.join('&')}`;
}
