import { aShop } from '../../builders/a-shop';
import { type Refusal, long, refused } from '../../support/refused';
import { type Call, ENGAGE, QUERIES, SEARCH, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
  });
  afterAll(() => service.close());

  const check = (call: Call, refusal: Refusal): Promise<void> => refused(service.send, call, refusal);

  describe('searches', () => {
    const on = (path: string, query: Call['query']): Call => ({ path, ...(query ? { query } : {}) });
    const wrong: [name: string, query: Call['query'], path: string, saying: RegExp][] = [
      ['terms too long', { terms: long(513) }, 'terms', /512/],
      ['page no number', { terms: 'a', page: 'two' }, 'page', /whole number/],
      ['page broken', { terms: 'a', page: 1.5 }, 'page', /whole number/],
      ['page endless', { terms: 'a', page: '1e400' }, 'page', /whole number/],
      ['page too deep', { terms: 'a', page: 101, resultsPerPage: 100 }, 'page', /10000/],
      ['page deep with the usual size', { terms: 'a', page: 417 }, 'page', /10000/],
      ['resultsPerPage broken', { terms: 'a', resultsPerPage: 1.5 }, 'resultsPerPage', /whole number/],
      ['resultsPerPage no number', { terms: 'a', resultsPerPage: 'abc' }, 'resultsPerPage', /whole number/],
      ['sortBy unknown', { terms: 'a', sortBy: 'price' }, 'sortBy', /relevance, pid, ascPrice/],
      ['productFormat unknown', { terms: 'a', productFormat: 'full' }, 'productFormat', /onlyIds, compact, complete/],
      ['personalize neither', { terms: 'a', personalize: 'maybe' }, 'personalize', /true or false/],
      ['explain neither', { terms: 'a', explain: 'yes' }, 'explain', /true or false/],
      ['showOnlyAvailable neither', { terms: 'a', showOnlyAvailable: '2' }, 'showOnlyAvailable', /true or false/],
      ['too many pids', { pids: Array.from({ length: 101 }, (_, n) => String(n)) }, 'pids', /100/],
      [
        'too many filters',
        { terms: 'a', filter: Array.from({ length: 101 }, (_, n) => `brand:b${n}`) },
        'filter',
        /100/,
      ],
      [
        'too many channels',
        { terms: 'a', salesChannel: Array.from({ length: 21 }, (_, n) => `c${n}`) },
        'salesChannel',
        /20/,
      ],
      ['too much hidden', { terms: 'a', hide: Array.from({ length: 13 }, () => 'sort') }, 'hide', /12/],
      ['filter without kind', { terms: 'a', filter: 'Acme' }, 'filter', /brand:<name>/],
      ['filter of a strange attribute', { terms: 'a', filter: 'colour:red' }, 'filter', /accepted/],
      ['filter with an id that is no number', { terms: 'a', filter: 'd:x:y' }, 'filter', /accepted/],
      ['filter with too many parts', { terms: 'a', filter: 'd:1:2:3' }, 'filter', /accepted/],
      ['filter upside down', { terms: 'a', filter: 'price:9..1' }, 'filter', /above/],
      ['filter without bounds', { terms: 'a', filter: 'price:..' }, 'filter', /bound/],
      ['filter with no number', { terms: 'a', filter: 'price:a..b' }, 'filter', /price/],
      ['filter with dots alone', { terms: 'a', filter: 'price:.....' }, 'filter', /./],
      ['filter cut short', { terms: 'a', filter: 'c:1' }, 'filter', /accepted/],
      ['a good filter beside a bad one', { terms: 'a', filter: ['brand:Veloz', 'nope'] }, 'filter', /nope/],
    ];

    test.each(wrong)('%s: 400 on every search address', async (_name, query, path, saying) => {
      for (const address of [QUERIES, SEARCH, ENGAGE]) {
        await check({ ...on(address, query), headers: loja.headers }, ['invalid_parameter', path, saying]);
      }
    });

    test.each([SEARCH, ENGAGE])('%s needs terms, pids or filter', (path) =>
      check({ path, headers: loja.headers }, ['invalid_parameter', 'terms', /pids/]),
    );

    test('explanations need keys', () =>
      check({ path: QUERIES, query: { terms: 'a', explain: true }, headers: { origin: loja.keys.origin } }, [
        'forbidden',
      ]));

    test.each([
      '%',
      '%zz',
      '%00',
      '%ED%A0%80',
      '%F0%9F',
      '%C0%80',
      '%EF%BF%BF',
      '💥'.repeat(200),
      '"',
      "' OR 1=1 --",
      '*',
      'NEAR(',
      '^-',
      'a:b',
    ])('the query %s is text like any other', async (terms) => {
      const path = `${QUERIES}?terms=${terms.startsWith('%') ? terms : encodeURIComponent(terms)}`;
      const reply = await service.send({ path, headers: loja.headers });
      expect(reply.status).toBe(200);
      expect(Array.isArray(reply.json['products'])).toBe(true);
    });

    test('thousands of parameters and lists in lists are read or refused, quickly', async () => {
      const many = Array.from({ length: 3000 }, (_, n) => `filter[${n}]=brand:b${n}&x${n}[y][z]=1`).join('&');
      const reply = await service.send({ path: `${QUERIES}?terms=a&${many}`, headers: loja.headers });
      expect([200, 400, 414, 431]).toContain(reply.status);
    });

    test('links repeat what is known and counts, and nothing else that was sent', async () => {
      const sent = { terms: 'tênis', filter: ['brand:Veloz'], topsearch: '1', origin: 'x', apikey: 'loja' };
      const unknown = { utm: 'campaign-7', callback: 'f', userId: 'x'.repeat(300), source: 'y'.repeat(300) };
      const { text } = await service.send({ path: QUERIES, query: { ...sent, ...unknown }, headers: loja.headers });
      for (const [name, value] of Object.entries(unknown)) expect(text).not.toContain(`${name}=${value}`);
      const { pagination } = JSON.parse(text) as { pagination: { first: string } };
      expect(pagination.first).toBe(
        `${QUERIES}?terms=t%C3%AAnis&filter=brand%3AVeloz&topsearch=1&origin=x&apiKey=loja&page=1`,
      );
    });

    test('a reply is bounded, however much was sent', async () => {
      const size = async (query: NonNullable<Call['query']>): Promise<number> => {
        const reply = await service.send({ path: ENGAGE, query, headers: loja.headers });
        expect(reply.status).toBe(200);
        return reply.text.length;
      };
      const hide = ['products'];
      const usual = await size({ terms: 'tênis', hide });
      const unknown = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`x${n}`, long(80)]));
      expect(await size({ terms: 'tênis', hide, ...unknown })).toBe(usual);
      const filter = Array.from({ length: 100 }, (_, n) => `brand:${n}${long(500)}`);
      expect(await size({ terms: 'tênis', hide, filter })).toBeLessThan(1_500_000);
    });

    test('the names of an object’s own parts are no parameters and no filters', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const query = { terms: 'tênis', [name]: 'x', [`${name}[polluted]`]: 'yes' };
        expect((await service.send({ path: QUERIES, query, headers: loja.headers })).status).toBe(200);
        await check({ path: QUERIES, query: { terms: 'a', filter: `${name}:x` }, headers: loja.headers }, [
          'invalid_parameter',
          'filter',
        ]);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });
});
