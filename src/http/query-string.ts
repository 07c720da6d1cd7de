/** Parameter names of every interface, as the contract spells them; requests may write them in any casing. */
export const canonicalParameters: readonly string[] = `
  apiKey secretKey userId deviceId source salesChannel
  terms pids page resultsPerPage sortBy filter filterNames showOnlyAvailable productFormat hide
  personalize allowRedirect explain ranking p topsearch origin
  category multicategory fields name prefix resultsQueries resultsProducts categoryId
  trackingId interactionType hash redirect conv cUID
  placement widgets categories id search url
  mode format force dryRun upload mapping encoding delimiter quote columns
  store kind state from to limit after by version fromVersion problem query productId template
`
  .trim()
  .split(/\s+/);

const canonical = new Map(canonicalParameters.map((name) => [name.toLowerCase(), name]));

/** What storefront scripts send for a variable without a value. */
const ABSENT = new Set(['', 'undefined', 'NaN', 'null']);

export type QueryValues = Record<string, string | string[]>;

/**
 * The parameters of a query string. Known names get their canonical casing; other names stay as sent. `key[]`, `key[0]` and repeated keys
 * make a list. Absent values are left out. `+` and `%20` are spaces. A broken escape stays as it is: shared links often end in one.
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

const PRIVATE = /secret|token|password|hash|conv|userid|deviceid|cuid|terms|search|prefix|query/;

/** A URL for a log line, without the values of parameters that are secret, name somebody or were typed by somebody. */
export function redactUrl(url: string): string {
  const question = url.indexOf('?');
  if (question < 0) return url;
  const pairs = url.slice(question + 1).split('&');
  const clean = pairs.map((pair) => {
    const name = pair.split('=', 1)[0] ?? '';
    // Decoded twice: a secret that was encoded once too often is still a secret.
    const isPrivate = PRIVATE.test(decode(decode(name)).toLowerCase());
    return isPrivate ? `${name}=[redacted]` : pair;
  });
  return `${url.slice(0, question)}?${clean.join('&')}`;
}
