import type { OpenAPIObject } from '@nestjs/swagger';

interface Described {
  description: string;
  example: string;
}

/** Headers of many routes, by name. */
const HEADERS: Readonly<Record<string, Described>> = {
  'x-api-key': { description: 'The store, with its secret key.', example: 'loja' },
  'x-secret-key': {
    description: 'The secret key of the store: of backends alone, never of pages.',
    example: 'a secret key',
  },
  'x-user-id': { description: 'The user, where a backend calls for one.', example: 'u-1001' },
};

/** What stands in the addresses of routes, by its name there, or by what is before it where that says what it is of. */
const PARTS: Readonly<Record<string, Described>> = {
  apiKey: { description: 'The store.', example: 'loja' },
  productId: { description: 'A product, by the id the store gave it.', example: 'tenis-1' },
  skuId: { description: 'A SKU of the product.', example: 'tenis-1-40' },
  salesChannel: { description: 'A sales channel of the store.', example: 'app' },
  userId: { description: 'A user, as the events name them.', example: 'u-1001' },
  deviceId: { description: 'A device, as the events name it.', example: 'd-42' },
  jti: { description: 'The id of an admin token.', example: '0198f3c2-5b7e-7d30-9c1a-2f6e8d4b7a10' },
  kind: { description: 'A kind of job that is done again and again.', example: 'search.terms.expire' },
  'jobs/id': { description: 'A job, by the jobId of the reply that began it.', example: 'job-1001' },
  'campaigns/id': { description: 'A campaign, by the id the store gave it.', example: 'summer-shoes' },
  'webhooks/id': { description: 'A webhook, by the id the store gave it.', example: 'erp' },
  'views/name': { description: 'What the shopper did.', example: 'product' },
  'feeds/name': { description: 'A feed.', example: 'nightly' },
  'uploads/id': { description: 'An upload in pieces, by the id of the reply that began it.', example: 'upload-1001' },
  'mappings/name': { description: 'A mapping of feeds.', example: 'erp' },
  'templates/name': { description: 'A boost template.', example: 'default' },
  'experiments/name': { description: 'An experiment.', example: 'more-taste' },
};

interface Parameter extends Partial<Described> {
  in?: string;
  name?: string;
}

/** Says what each header is and each part of an address between braces, with an example, where the route does not say so itself. */
export function describeParameters(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item) as { parameters?: Parameter[] }[]) {
      for (const parameter of operation.parameters ?? []) describe(parameter, path);
    }
  }
  return document;
}

function describe(parameter: Parameter, path: string): void {
  const { name = '' } = parameter;
  const known = parameter.in === 'header' ? HEADERS[name] : parameter.in === 'path' ? partOf(path, name) : undefined;
  if (!known) return;
  parameter.description ??= known.description;
  parameter.example ??= known.example;
}

function partOf(path: string, name: string): Described | undefined {
  const segments = path.split('/');
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
  return PARTS[`${before}/${name}`] ?? PARTS[name];
}
