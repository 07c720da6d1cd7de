import * as fc from 'fast-check';
import { canonicalParameters } from '../../../src/http/query-string';
import { aShop } from '../../builders/a-shop';
import { expectError } from '../../support/error-reply';
import type { Call, Json, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

const RUNS_PER_ROUTE = 15;
/** Every answer comes long before this, or it is a hang. Milliseconds. */
const ANSWER_WITHIN = 5000;

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let routes: { method: string; path: string }[];

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
    const { paths } = (await service.send({ path: '/openapi.json' })).json as { paths: Record<string, Json> };
    routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
  });
  afterAll(() => service.close());

  const FIELDS = [
    ...canonicalParameters.filter((name) => !/key/i.test(name)),
    ...'pid sku items categories query price quantity timestamp eventId user identity products name url images status'.split(
      ' ',
    ),
    ...'skus details specs salesChannels settings origins language halfLife graceSeconds personalize tags total'.split(
      ' ',
    ),
    ...'__proto__ constructor prototype length then'.split(' '),
    '',
  ];
  const ODD = [
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    '',
    ' ',
    '-1',
    '1e999',
    'NaN',
    'tênis',
    'ana',
    'veloz-01',
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '%',
    '%00',
    '../..',
    "'; DROP TABLE event; --",
    '"*^(NEAR/2) OR',
    'd:1:1',
    'c:1:2:3:4',
    'price:..',
    'price:1..2',
    '2026-13-45',
    'x'.repeat(300),
    '💥'.repeat(300),
  ];
  const oddValue = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ODD) },
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.double(),
  );
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      oddValue,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...FIELDS), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  const body = fc.oneof(
    fc.constant(undefined),
    {
      weight: 4,
      arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 }).map((one) => JSON.stringify(one)),
    },
    value.map((one) => JSON.stringify(one) ?? 'undefined'),
    value.map((one) => String(JSON.stringify(one)).slice(0, -1)),
    fc.array(value, { maxLength: 4 }).map((lines) => lines.map((line) => JSON.stringify(line)).join('\n')),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  const TYPES = [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=\u00ff',
    'text/plain',
    'application/x-ndjson',
    'text/csv',
    'application/xml',
    'multipart/form-data',
    'x',
  ];
  const type = fc.oneof({ weight: 3, arbitrary: fc.constant(TYPES[0] ?? '') }, fc.constantFrom(...TYPES));
  const query = fc.array(fc.tuple(fc.constantFrom(...FIELDS, 'filter[]', 'hide[0]'), oddValue), { maxLength: 5 });
  const id = fc.constantFrom(
    'veloz-01',
    'ana',
    'product',
    'cart',
    'x'.repeat(300),
    '\0',
    '..%2f',
    '%',
    'é',
    '__proto__',
    '7',
  );

  function addressFor(template: string, ids: readonly string[]): string {
    let next = 0;
    return template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      name === 'apiKey' ? 'loja' : encodeURIComponent(ids[next++ % ids.length] ?? 'x'),
    );
  }

  /** Deleting the store, its keys or its origins is no bad input; what is left of the run would be. */
  const ENDS_IT = /^(DELETE|PATCH) \/admin\/stores\/\{apiKey\}$|\/secrets$|\/origins$/;

  test('no route answers bad input with anything but the one shape of errors, and none hangs or breaks', async () => {
    expect(routes.length).toBeGreaterThan(15);
    let refused = 0;
    for (const { method, path } of routes.filter((route) => !ENDS_IT.test(`${route.method} ${route.path}`))) {
      await fc.assert(
        fc.asyncProperty(
          fc.array(id, { minLength: 1, maxLength: 2 }),
          query,
          body,
          type,
          async (...[ids, pairs, content, contentType]) => {
            const parameters = pairs
              .map(([name, one]) => `${encodeURIComponent(name)}=${encoded(String(one))}`)
              .join('&');
            const call: Call = {
              method,
              path: `${addressFor(path, ids)}?${parameters}`,
              headers: {
                ...(path.startsWith('/admin') ? { authorization: `Bearer ${service.token()}` } : loja.headers),
                ...(content === undefined || method === 'GET' ? {} : { 'content-type': contentType }),
              },
              ...(method === 'GET' ? {} : { body: content }),
            };
            const reply = await inTime(service.send(call), `${method} ${call.path}`);
            if (reply.status < 400) {
              expect(reply.json).not.toHaveProperty('code');
              return;
            }
            refused += 1;
            expect({ status: reply.status < 500 ? 'refused' : reply.text }).toEqual({ status: 'refused' });
            expectError(reply);
          },
        ),
        { numRuns: RUNS_PER_ROUTE, seed: 5, endOnFailure: true },
      );
    }
    expect(refused).toBeGreaterThan(routes.length);
    // Whatever was sent, the shop is as it was, and the service well.
    expect((await service.send({ path: '/health/ready' })).status).toBe(200);
    expect((await loja.search({ terms: 'tênis corrida' })).size).toBeGreaterThanOrEqual(20);
  }, 60_000);

  function encoded(text: string): string {
    return text.startsWith('%') ? text : encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));
  }

  async function inTime<T>(answer: Promise<T>, name: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer to ${name}`)), ANSWER_WITHIN);
    });
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  }
});
