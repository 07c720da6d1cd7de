import { aProduct } from '../builders/a-product';
import { aCampaign } from './showcase-shop';
import type { Call } from './store-client';

/** What the parameters of routes stand for in a test. */
export interface Names {
  apiKey: string;
  jobId: string;
}

interface Sample {
  /** Parameters of the route beside those of `Names`. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object | string;
  headers?: Record<string, string>;
  /** What it is answered with where the caller may call. */
  status: number;
  /** Whether that shows something of the store: what its products, its events or its settings say. */
  shows?: boolean;
}

const ndjson = { 'content-type': 'application/x-ndjson' };
const user = { userId: 'ana' };
const product = { productId: 'p' };
const campaign = { id: 'c' };
const sku = { ...product, skuId: 's' };
const channel = { salesChannel: 'default' };
const search: Sample = { query: { terms: 'tênis' }, status: 200, shows: true };
const read: Sample = { status: 200, shows: true };
const admin: Sample = { status: 200 };

/** One good request of every route that not anybody may call. A new route is to be added here: tests of access and of tenants use them. */
const samples: Readonly<Record<string, Sample>> = {
  'POST /v7/events/views/:name': { params: { name: 'home' }, body: { userId: 'ana' }, status: 204 },
  'GET /searchapi/v3/queries': search,
  'GET /searchapi/v3/search': search,
  'GET /engage/search/v3/search': search,
  'PUT /v7/products/:productId': { params: { productId: 'new' }, body: aProduct({ id: 'new' }), status: 202 },
  'POST /v7/products': { body: { products: [aProduct({ id: 'new' })] }, status: 200 },
  'DELETE /v7/products/:productId': { params: product, status: 204 },
  'PUT /v7/users/:userId': { params: { userId: 'eva' }, body: { name: 'Eva' }, status: 204 },
  'DELETE /v7/users/:userId': { params: user, status: 200 },
  'POST /authenticate': { status: 200 },
  'GET /product/:productId': { ...read, params: product },
  'GET /product/:productId/sku/:skuId': { ...read, params: sku },
  'GET /saleschannel/:salesChannel/product/:productId': { ...read, params: { ...channel, ...product } },
  'GET /saleschannel/:salesChannel/product/:productId/sku/:skuId': { ...read, params: { ...channel, ...sku } },
  'POST /admin/stores': { body: { name: 'More' }, status: 201 },
  'GET /admin/stores': { ...admin, shows: true },
  'GET /admin/stores/:apiKey': { ...admin, shows: true },
  'PATCH /admin/stores/:apiKey': { ...admin, body: {}, shows: true },
  'DELETE /admin/stores/:apiKey': { status: 202 },
  'POST /admin/stores/:apiKey/secrets': { body: { graceSeconds: 3600 }, status: 201 },
  'PUT /admin/stores/:apiKey/origins': { ...admin, body: { origins: ['taken.example'] } },
  'POST /admin/stores/:apiKey/reindex': { status: 202 },
  'POST /admin/stores/:apiKey/events/imports': { body: '{}', headers: ndjson, status: 202 },
  'POST /admin/stores/:apiKey/vectors/rebuild': { body: {}, status: 202 },
  'GET /admin/stores/:apiKey/users/:userId/vector': { ...admin, params: user, shows: true },
  'GET /admin/stores/:apiKey/devices/:deviceId/vector': { ...admin, params: { deviceId: 'd1' }, shows: true },
  'POST /admin/stores/:apiKey/users/:userId/export': { ...admin, params: user, shows: true },
  'GET /v2/showcases': { query: { placement: 'home' }, status: 200, shows: true },
  'GET /c.gif': { query: { conv: '{"tId":"o1","products":[]}', cUID: 'ana' }, status: 200 },
  'GET /admin/stores/:apiKey/campaigns': { ...admin, shows: true },
  'GET /admin/stores/:apiKey/campaigns/:id': { ...admin, params: campaign, shows: true },
  'PUT /admin/stores/:apiKey/campaigns/:id': { ...admin, params: campaign, body: aCampaign(['p']) },
  'DELETE /admin/stores/:apiKey/campaigns/:id': { params: campaign, status: 204 },
  'GET /admin/stores/:apiKey/metrics/showcase': admin,
  'POST /admin/stores/:apiKey/metrics/showcase/check': admin,
  'GET /admin/jobs': admin,
  'GET /admin/jobs/:id': admin,
  'GET /admin/jobs/:id/events': admin,
  'POST /admin/jobs/:id/cancel': admin,
  'POST /admin/jobs/:id/retry': admin,
  'GET /admin/audit': { ...admin, shows: true },
  'DELETE /admin/tokens/:jti': { params: { jti: 'of-nobody' }, status: 204 },
};

export interface ValidRequest {
  call: Call & { method: string };
  status: number;
  shows: boolean;
}

export const knownRoutes = Object.keys(samples);

export function validRequest(route: string, { apiKey, jobId }: Names): ValidRequest {
  const sample = samples[route];
  if (!sample) throw new Error(`test/support/valid-requests.ts has no request of ${route}: add one`);
  const { params = {}, query, body, headers, status, shows = false } = sample;
  const [method = '', url = ''] = route.split(' ');
  const names: Readonly<Record<string, string>> = { apiKey, id: jobId, ...params };
  const path = url.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(names[name] ?? `no ${name}`));
  return {
    call: { method, path, ...(query ? { query } : {}), ...(body ? { body } : {}), ...(headers ? { headers } : {}) },
    status,
    shows,
  };
}
