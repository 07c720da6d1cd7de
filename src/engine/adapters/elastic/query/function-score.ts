import type { estypes } from '@elastic/elasticsearch';

/** The client's type counts no query at all as one. */
export type Query = NonNullable<estypes.QueryDslQueryContainer>;

/** From `origin` (and level as far as `offset`), down to `decay` of it at `scale` further away. */
export interface Decay {
  origin: number;
  offset?: number;
  scale: number | string;
  decay: number;
}

export interface ScoreFunction {
  filter?: Query;
  weight?: number;
  exp?: Record<string, Decay>;
  gauss?: Record<string, Decay>;
  field_value_factor?: { field: string; factor: number; missing: number };
}

/** The query's score times what the functions make. `mode`: how those of a document become one. `most`: no more than this of it. */
export function functionScore(
  query: Query,
  functions: readonly ScoreFunction[],
  { mode, most }: { mode: 'multiply' | 'sum' | 'first'; most?: number },
): Query {
  return {
    function_score: {
      query,
      // The client's types also lack a function that is only a weight.
      functions: functions as unknown as estypes.QueryDslFunctionScoreContainer[],
      score_mode: mode,
      boost_mode: 'multiply',
      ...(most === undefined ? {} : { max_boost: most }),
    },
  };
}
