import type { BareRequest } from './load/tasks';

type Json = { [key: string]: unknown };

const PAGE = 24;

/** A query without its scoring functions: what is left matches the same documents and scores them by their text alone. */
export function withoutFunctions(query: unknown): unknown {
  if (Array.isArray(query)) return query.map(withoutFunctions);
  if (typeof query !== 'object' || query === null) return query;
  const { function_score: scored, ...rest } = query as Json & { function_score?: Json };
  if (scored) return withoutFunctions(scored['query'] ?? { match_all: {} });
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withoutFunctions(inner)]));
}

/** The plain text query of the first search for hits in what the service sent: a page by score, nothing else asked for. */
export function plainQuery(steps: readonly BareRequest[][]): BareRequest | null {
  for (const { path, body } of steps.flat()) {
    if (!path.includes('_msearch')) continue;
    const [head = '{}', search = '{}'] = body.split('\n');
    const { query } = JSON.parse(search) as Json;
    const plain = { query: withoutFunctions(query), size: PAGE, _source: false, docvalue_fields: ['productId'] };
    return { path: '/_msearch', body: `${head}\n${JSON.stringify(plain)}\n` };
  }
  return null;
}
