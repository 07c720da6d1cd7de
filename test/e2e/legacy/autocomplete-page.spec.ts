import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  autocompleteParameters,
  autocompleteProductsParameters,
} from '../../../src/search/autocomplete/autocomplete-parameters';
import { autocompleteReply } from '../../../src/search/autocomplete/autocomplete-reply';
import { aShop } from '../../builders/a-shop';
import { embeddedMode } from '../../support/modes';
import { must, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const TYPED = '/engage/search/v3/autocompletes';
const PRODUCTS = `${TYPED}/products`;

describe('autocomplete, as it is documented', () => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(embeddedMode);
    loja = await service.store('loja');
    await loja.putMany(aShop());
  });
  afterAll(() => service.close());

  describe('docs/autocomplete.md', () => {
    const page = readFileSync(join(__dirname, '../../../docs/autocomplete.md'), 'utf8');

    test('has requests that are answered', async () => {
      const requests = Array.from(page.matchAll(/`GET (\S+)`/g), ([, path = '']) => path);
      expect(requests.length).toBeGreaterThan(10);
      for (const path of requests) {
        const json = must(await service.send({ path, headers: loja.headers }), 200);
        expect(autocompleteReply.strict().safeParse(json).error).toBeUndefined();
      }
    });

    test('has every parameter, and so has the OpenAPI page', async () => {
      const { paths } = must(await service.send({ path: '/openapi.json' }), 200) as unknown as {
        paths: Record<string, { get: { parameters: { name: string; description?: string }[] } }>;
      };
      for (const [path, { shape }] of [
        [TYPED, autocompleteParameters],
        [PRODUCTS, autocompleteProductsParameters],
      ] as const) {
        const documented = paths[path]?.get.parameters.map(({ name }) => name) ?? [];
        for (const name of Object.keys(shape)) {
          expect([name, page.includes(`\`${name}\``), documented.includes(name)]).toEqual([name, true, true]);
        }
      }
      const prefix = paths[TYPED]?.get.parameters.find(({ name }) => name === 'prefix');
      expect(prefix?.description).toMatch(/completed/);
    });
  });
});
