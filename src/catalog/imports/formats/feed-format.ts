import type { ApiError } from '../../../shared/api-error';

export const feedFormats = ['ndjson', 'json', 'csv', 'google-xml', 'google-tsv'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** What a feed says of one product or one of its variants: fields by their names in the feed. */
export type FeedRow = Readonly<Record<string, unknown>>;

/** A row, or why there is none. `line`: from 1; in JSON the place in the list. */
export type FeedEntry = { line: number; row: FeedRow } | { line: number; problem: ApiError; text: string };

/** How a feed is to be read; what is absent is found out from its bytes. */
export interface FeedSyntax {
  format?: FeedFormat | undefined;
  encoding?: string | undefined;
  delimiter?: string | undefined;
  quote?: string | undefined;
}

/** As found out, or as said. */
export interface FoundSyntax {
  format: FeedFormat;
  encoding: string;
  delimiter: string;
  quote: string;
}

/** Rows that are handed on at once. */
export const ROWS_AT_ONCE = 100;

/** How a line that is refused begins, in a report. */
export const beginningOf = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
