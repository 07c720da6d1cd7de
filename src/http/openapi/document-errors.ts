import type { OpenAPIObject } from '@nestjs/swagger';
import { CALLER_REFUSES, ROUTE_REFUSES } from './answers';
import { errorCatalogue, type ErrorCode } from '../../shared/error-catalogue';

type Operation = OpenAPIObject['paths'][string]['get'] & Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const BODY_REFUSES: ErrorCode[] = ['invalid_json', 'too_deep', 'body_too_large', 'unsupported_media_type'];
const ADDRESS_REFUSES: ErrorCode[] = ['invalid_request', 'uri_too_long'];

const errorSchema = {
  type: 'object',
  description: 'Every failure. Some have fields beside these, such as searchId.',
  required: ['code', 'error', 'message', 'requestId'],
  properties: {
    code: { type: 'integer', description: 'The status.' },
    error: { type: 'string', enum: Object.keys(errorCatalogue), description: 'Stable: decide by it.' },
    message: { type: 'string', description: 'What is wrong, and what is accepted.' },
    requestId: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/** Adds every failure a route may answer: its own, its guard's, and those of bodies, addresses and the storage. */
export function declareErrors(document: OpenAPIObject): OpenAPIObject {
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: errorSchema as never },
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation) declare(operation, { method, path });
    }
  }
  return document;
}

function declare(operation: Operation, { method, path }: { method: string; path: string }): void {
  const codes = new Set<ErrorCode>([
    ...codesOf(operation, ROUTE_REFUSES),
    // A guard finds the store that the address names.
    ...codesOf(operation, CALLER_REFUSES).filter((code) => code !== 'not_found' || path.includes('{apiKey}')),
    ...(method === 'get' ? [] : BODY_REFUSES),
    ...(path.includes('{') ? ADDRESS_REFUSES : []),
    'unavailable',
  ]);
  delete operation[ROUTE_REFUSES];
  delete operation[CALLER_REFUSES];
  for (const status of new Set([...codes].map((code) => errorCatalogue[code]))) {
    const own = [...codes].filter((code) => errorCatalogue[code] === status);
    operation.responses[status] = {
      description: own.join(', '),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              { type: 'object', properties: { error: { type: 'string', enum: own } } },
            ],
          },
        },
      },
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } }
        : {}),
    };
  }
}

function codesOf(operation: Operation, key: string): ErrorCode[] {
  return (operation[key] as ErrorCode[] | undefined) ?? [];
}
