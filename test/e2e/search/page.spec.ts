import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spellings } from '../../../src/engine/facets';
import { sortNames } from '../../../src/engine/plan/sorts';
import { hotsitesParameters, navigatesParameters } from '../../../src/search/listings/listing-parameters';
import { searchParameters } from '../../../src/search/search-parameters';
import { merchandise } from '../../support/merchandise';
import { describeModes } from '../../support/modes';
import type { Json, Reply, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const page = readFileSync(join(__dirname, '../../../docs/search.md'), 'utf8');

interface Example {
  path: string;
  /** A status, or `3 products: a, b`. */
  due: string;
  /** What of the reply stands behind it on the page. */
  reply?: Json;
}

const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({ kind, text }));

const examples = blocks.flatMap(({ kind, text }, index): Example[] => {
  const lines = kind === '' ? [...text.matchAll(/^GET (\S+) +-> (.+)$/gm)] : [];
  const next = blocks[index + 1];
  return lines.map(([, path = '', due = ''], line) => {
    const isLast = line === lines.length - 1;
    return { path, due, ...(isLast && next?.kind === 'json' ? { reply: JSON.parse(next.text) as Json } : {}) };
  });
});

describe('docs/search.md', () => {
  const used = examples.map(({ path }) => path.split('?')[1] ?? '').join('&');

  it('has an example of every parameter, order and filter', () => {
    const schemas = [searchParameters, navigatesParameters, hotsitesParameters];
    const names = [...new Set(schemas.flatMap(({ shape }) => Object.keys(shape)))];
    expect(names.filter((name) => !used.includes(`${name}=`) && !used.includes(`${name}[]=`))).toEqual([]);
    expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
    expect(sortNames.filter((name) => !used.includes(`sortBy=${name}`))).toEqual([]);
    expect(spellings.filter((spelling) => !page.includes(`| \`${spelling}\``))).toEqual([]);
    const attributes = spellings.map((spelling) => spelling.split(/[:<]/)[0] ?? '');
    expect(attributes.filter((attribute) => !used.includes(`filter=${attribute}`))).toEqual([]);
  });

  it('has nothing between its fences that is not run', () => {
    const lines = blocks.filter(({ kind }) => kind === '').flatMap(({ text }) => text.trim().split('\n'));
    expect(lines.length).toBe(examples.length);
    expect(examples.length).toBeGreaterThan(50);
  });
});

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja', { origins: ['.loja.example'] });
    const products = blocks.find(({ kind }) => kind === 'ndjson')?.text ?? '';
    await loja.putMany(
      products
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json),
    );
    const [, hotsite = ''] = /the hotsite `(.+?)`/.exec(page) ?? [];
    await merchandise(loja, 'hotsites', [JSON.parse(hotsite) as Json]);
  });
  afterAll(() => service.close());

  test('every example of docs/search.md answers what the page says', async () => {
    const answered: string[][] = [];
    for (const { path, due, reply: shown } of examples) {
      const reply = await loja.send({ path, headers: loja.headers });
      answered.push([path, outcome(reply, due)]);
      if (shown) expect(reply.json).toMatchObject(shown);
    }
    expect(answered).toEqual(examples.map(({ path, due }) => [path, due]));
  });

  test('every parameter of the searches is described in /openapi.json, with an example', async () => {
    const { paths } = (await service.send({ path: '/openapi.json' })).json as unknown as {
      paths: Record<string, Paths>;
    };
    for (const path of ['/searchapi/v3/queries', '/searchapi/v3/search', '/engage/search/v3/search']) {
      const parameters = (paths[path]?.get.parameters ?? []).filter((one) => one.in === 'query');
      expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(searchParameters.shape)));
      const bare = parameters.filter(({ name, description, example, schema }) => {
        const isDescribed = (description ?? schema?.description) !== undefined;
        return name in searchParameters.shape && !(isDescribed && (example ?? schema?.example) !== undefined);
      });
      expect([path, bare.map(({ name }) => name)]).toEqual([path, []]);
    }
  });
});

interface Described {
  description?: string;
  example?: unknown;
}
interface Paths {
  get: { parameters: (Described & { name: string; in: string; schema?: Described })[] };
}

/** As the page would write it, in as many words. */
function outcome({ status, json }: Reply, due: string): string {
  if (status !== 200) return String(status);
  const { size, products } = json as unknown as { size: number; products: { id: string }[] };
  const found = `${size} products`;
  return due.includes(':') ? `${found}: ${products.map(({ id }) => id).join(', ')}` : found;
}
