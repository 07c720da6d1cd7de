import { hash } from 'node:crypto';

/** SHA-256 of some values, base64url: a name of fixed length for what may be of any length and script. */
export const digestOf = (...values: unknown[]): string => hash('sha256', JSON.stringify(values), 'base64url');
