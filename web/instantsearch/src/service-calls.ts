import { addressOf, fetchOf, type SearchClientOptions, shopperOf } from './options.js';
import type { Params } from './types.js';

type Value = string | number | readonly string[] | undefined;

/** Parameters of the service that a page may give among those of a widget, with `configure`. */
const PASSED = ['salesChannel', 'showOnlyAvailable', 'source', 'personalize', 'allowRedirect', 'pids', 'productFormat'];

/** A refusal or failure of the service. */
export class VitrineError extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** A word that stays the same: docs/errors.md of the service. */
    readonly error: string | undefined,
  ) {
    super(message);
    this.name = 'VitrineError';
  }
}

/** The query of a call: what was asked, then what every search of the page has. */
export function queryOf(options: SearchClientOptions, params: Params, asked: Record<string, Value>): string {
  const query = new URLSearchParams();
  const { apiKey, origin, parameters = {} } = options;
  const passed = Object.fromEntries(PASSED.map((name) => [name, textOf(params[name])]));
  const { userId, deviceId } = shopperOf(options, params.userToken);
  const all = { apiKey, origin, userId, deviceId, productFormat: 'complete', ...parameters, ...defined(passed) };
  if (params.enablePersonalization === false) all.personalize = 'false';
  for (const [name, value] of [...Object.entries(asked), ...Object.entries(all)]) {
    for (const one of [value ?? []].flat()) query.append(name, String(one));
  }
  return query.toString();
}

type Passed = Record<string, Value> & { personalize?: Value };

const defined = (values: Passed): Passed =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

function textOf(value: unknown): string | string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(String) : String(value);
}

/** Asks the service; throws a `VitrineError` for what it refuses. */
export async function ask<T>(options: SearchClientOptions, path: string, query: string): Promise<T> {
  const response = await fetchOf(options)(`${addressOf(options, path)}?${query}`);
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  const { message, error } = (body ?? {}) as { message?: string; error?: string };
  throw new VitrineError(message ?? `The service answered ${response.status}`, response.status, error);
}
