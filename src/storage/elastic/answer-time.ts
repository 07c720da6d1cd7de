/** Milliseconds that an answer may take beyond the limit of one request to Elasticsearch. */
const BEYOND_MS = 100;

/** Milliseconds in which a shopper's request is answered, or 503, where each request to Elasticsearch has `timeoutMs`. */
export const answerTime = (timeoutMs: number): number => timeoutMs + BEYOND_MS;
