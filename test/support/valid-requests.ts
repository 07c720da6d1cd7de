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
const template = { name: 'default' };
const experiment = { name: 'e' };
const sku = { ...product, skuId: 's' };
const channel = { salesChannel: 'default' };
const search: Sample = { query: { terms: 'tênis' }, status: 200, shows: true };
const listed = (kind: string): object => ({ [kind]: [] });
const read: Sample = { status: 200, shows: true };
const admin: Sample = { status: 200 };

/** One good request of every route that not anybody may call. A new route is to be added here: tests of access and of tenants use them. */
const samples: Readonly<Record<string, Sample>> = {
  'POST /v7/events/views/:name': { params: { name: 'home' }, body: { userId: 'ana' }, status: 204 },
  'GET /searchapi/v3/queries': search,
  'GET /searchapi/v3/search': search,
  'GET /engage/search/v3/search': search,
  'GET /engage/search/v3/navigates': { query: { category: 'Moda' }, status: 200, shows: true },
  'GET /engage/search/v3/hotsites': { query: { name: 'promo' }, status: 200, shows: true },
  'GET /engage/search/v3/autocompletes': { query: { prefix: 'ten' }, status: 200, shows: true },
  'GET /engage/search/v3/autocompletes/popular': { query: { productFormat: 'compact' }, status: 200, shows: true },
  'GET /engage/search/v3/autocompletes/products': search,
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
  'POST /admin/stores/:apiKey/imports': { query: { mode: 'partial' }, body: '{}', headers: ndjson, status: 202 },
  'POST /admin/stores/:apiKey/uploads': { body: {}, status: 201 },
  'GET /admin/stores/:apiKey/uploads': admin,
  'GET /admin/stores/:apiKey/uploads/:id': { params: { id: 'none' }, status: 404 },
  'PUT /admin/stores/:apiKey/uploads/:id': {
    params: { id: 'none' },
    query: { from: '0' },
    body: 'id,name',
    headers: ndjson,
    status: 404,
  },
  'DELETE /admin/stores/:apiKey/uploads/:id': { params: { id: 'none' }, status: 404 },
  'POST /admin/stores/:apiKey/reindex/rollback': { status: 409 },
  'GET /admin/stores/:apiKey/mappings': { ...admin, shows: true },
  'GET /admin/stores/:apiKey/mappings/:name': { params: { name: 'none' }, status: 404 },
  'PUT /admin/stores/:apiKey/mappings/:name': { ...admin, params: { name: 'm' }, body: { fields: { price: 'preco' } } },
  'POST /admin/stores/:apiKey/mappings/try': { ...admin, body: { sample: 'id,name\np,Meia' } },
  'DELETE /admin/stores/:apiKey/mappings/:name': { params: { name: 'none' }, status: 404 },
  'GET /admin/stores/:apiKey/feeds': { ...admin, shows: true },
  'GET /admin/stores/:apiKey/feeds/:name': { params: { name: 'none' }, status: 404 },
  'PUT /admin/stores/:apiKey/feeds/:name': {
    ...admin,
    params: { name: 'f' },
    body: { url: 'https://feeds.invalid/feed.csv', mode: 'partial', every: '1d' },
  },
  'DELETE /admin/stores/:apiKey/feeds/:name': { params: { name: 'none' }, status: 404 },
  'POST /admin/stores/:apiKey/feeds/:name/run': { params: { name: 'none' }, status: 404 },
  'POST /admin/stores/:apiKey/events/imports': { body: '{}', headers: ndjson, status: 202 },
  'POST /admin/stores/:apiKey/vectors/rebuild': { body: {}, status: 202 },
  'GET /admin/stores/:apiKey/users/:userId/vector': { ...admin, params: user, shows: true },
  'GET /admin/stores/:apiKey/devices/:deviceId/vector': { ...admin, params: { deviceId: 'd1' }, shows: true },
  'POST /admin/stores/:apiKey/users/:userId/export': { ...admin, params: user, shows: true },
  'DELETE /admin/stores/:apiKey/users/:userId': { ...admin, params: user },
  'GET /admin/stores/:apiKey/products/:productId': { ...read, params: product },
  'GET /admin/stores/:apiKey/catalog/health': admin,
  'POST /admin/stores/:apiKey/catalog/health/run': { status: 202 },
  'GET /admin/stores/:apiKey/webhooks': admin,
  'PUT /admin/stores/:apiKey/webhooks': { ...admin, body: listed('webhooks') },
  'POST /admin/stores/:apiKey/webhooks/:id/test': { params: { id: 'none' }, status: 404 },
  'GET /admin/stores/:apiKey/synonyms': { ...admin, shows: true },
  'PUT /admin/stores/:apiKey/synonyms': { ...admin, body: listed('synonyms') },
  'GET /admin/stores/:apiKey/redirects': { ...admin, shows: true },
  'PUT /admin/stores/:apiKey/redirects': { ...admin, body: listed('redirects') },
  'GET /admin/stores/:apiKey/rules': { ...admin, shows: true },
  'PUT /admin/stores/:apiKey/rules': { ...admin, body: listed('rules') },
  'GET /admin/stores/:apiKey/hotsites': { ...admin, shows: true },
  'PUT /admin/stores/:apiKey/hotsites': { ...admin, body: listed('hotsites') },
  'GET /admin/stores/:apiKey/banners': { ...admin, shows: true },
  'PUT /admin/stores/:apiKey/banners': { ...admin, body: listed('banners') },
  'GET /v2/showcases': { query: { placement: 'home' }, status: 200, shows: true },
  'GET /c.gif': { query: { conv: '{"tId":"o1","products":[]}', cUID: 'ana' }, status: 200 },
  'GET /admin/stores/:apiKey/campaigns': { ...admin, shows: true },
  'GET /admin/stores/:apiKey/campaigns/:id': { ...admin, params: campaign, shows: true },
  'PUT /admin/stores/:apiKey/campaigns/:id': { ...admin, params: campaign, body: aCampaign(['p']) },
  'DELETE /admin/stores/:apiKey/campaigns/:id': { params: campaign, status: 204 },
  'GET /admin/stores/:apiKey/metrics/search': admin,
  'GET /admin/stores/:apiKey/metrics/showcase': admin,
  'POST /admin/stores/:apiKey/metrics/showcase/check': admin,
  'GET /admin/stores/:apiKey/templates': admin,
  'GET /admin/stores/:apiKey/templates/:name': { ...admin, params: template },
  'PUT /admin/stores/:apiKey/templates/:name': { ...admin, params: template, body: { strength: 50 } },
  'GET /admin/stores/:apiKey/templates/:name/diff': { ...admin, params: template },
  'POST /admin/stores/:apiKey/templates/:name/preview': {
    ...admin,
    params: template,
    body: { terms: 'tênis', users: ['ana'] },
    shows: true,
  },
  'POST /admin/stores/:apiKey/templates/:name/replay': {
    ...admin,
    params: template,
    body: { from: '2026-01-01', to: '2026-02-01' },
    status: 202,
  },
  'GET /admin/stores/:apiKey/templates/:name/replay': { ...admin, params: template, status: 404 },
  'POST /admin/stores/:apiKey/templates/:name/activate': { ...admin, params: template, body: {} },
  'POST /admin/stores/:apiKey/templates/tune': {
    ...admin,
    body: { objective: 'ndcg', from: '2026-01-01', to: '2026-02-01', budget: 20 },
    status: 202,
  },
  'GET /admin/stores/:apiKey/templates/:name/tuning': { ...admin, params: template, status: 404 },
  'POST /admin/stores/:apiKey/templates/validate': { ...admin, body: { strength: 50 } },
  'POST /admin/stores/:apiKey/templates/rollback': { body: {}, status: 409 },
  'GET /admin/stores/:apiKey/experiments': { ...admin, shows: true },
  'GET /admin/stores/:apiKey/experiments/:name': { params: { name: 'none' }, status: 404 },
  'GET /admin/stores/:apiKey/experiments/:name/results': { params: { name: 'none' }, status: 404 },
  'PUT /admin/stores/:apiKey/experiments/:name': {
    ...admin,
    params: experiment,
    body: { variants: [{ name: 'soft', share: 50, strength: 20 }], holdout: 5 },
  },
  'DELETE /admin/stores/:apiKey/experiments/:name': { params: { name: 'none' }, status: 404 },
  'GET /admin/stores/:apiKey/why': { ...admin, query: { query: 'tênis', productId: 'p', userId: 'ana' }, shows: true },
  'GET /admin/jobs': admin,
  'GET /admin/jobs/:id': admin,
  'GET /admin/jobs/:id/events': admin,
  'POST /admin/jobs/:id/cancel': admin,
  'POST /admin/jobs/:id/retry': admin,
  'GET /admin/schedules': { status: 200 },
  'POST /admin/schedules/:kind/pause': { params: { kind: 'none' }, status: 404 },
  'POST /admin/schedules/:kind/resume': { params: { kind: 'none' }, status: 404 },
  'POST /admin/schedules/:kind/run': { params: { kind: 'none' }, status: 404 },
  'GET /admin/audit': { ...admin, shows: true },
  'POST /admin/console/links': { body: {}, status: 201 },
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
