import { embeddedMode } from '../../support/modes';
import { type Json, must } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const STORE = '/admin/stores/{apiKey}';
const BODIES: [method: string, path: string, property: string][] = [
  ...['synonyms', 'redirects', 'rules', 'hotsites', 'banners'].map((noun): [string, string, string] => [
    'put',
    `${STORE}/${noun}`,
    noun,
  ]),
  ['put', `${STORE}/templates/{name}`, 'signals'],
  ['post', `${STORE}/templates/{name}/preview`, 'terms'],
  ['post', `${STORE}/templates/{name}/activate`, 'version'],
  ['post', '/admin/stores', 'settings'],
  ['patch', STORE, 'settings'],
];

/** Where a schema says nothing at all: no type, no choice, no words. */
function sayingNothing(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((one, at) => sayingNothing(one, `${path}/${at}`));
  const entries = Object.entries(schema).filter(([name]) => name !== 'default' && name !== 'example');
  if (entries.length === 0 && !path.endsWith('/properties')) return [path];
  return entries.flatMap(([name, one]) => sayingNothing(one, `${path}/${name}`));
}

describe('bodies of the admin routes in /openapi.json', () => {
  let service: WholeApp;
  let document: Json;

  beforeAll(async () => {
    service = await startWholeApp(embeddedMode);
    document = must(await service.send({ path: '/openapi.json' }), 200);
  });
  afterAll(() => service.close());

  const read = (...path: string[]): unknown =>
    path.reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], document);

  /** With what a reference names in its place. */
  function bodyOf(method: string, path: string): Json {
    const schema = read('paths', path, method, 'requestBody', 'content', 'application/json', 'schema') as Json;
    const ref = schema?.['$ref'];
    return typeof ref === 'string' ? (read(...ref.split('/').slice(1)) as Json) : schema;
  }

  it.each(BODIES)('%s %s says what everything in it is', (method, path, property) => {
    const body = bodyOf(method, path);
    expect(Object.keys((body?.['properties'] ?? {}) as Json)).toContain(property);
    expect(sayingNothing(body)).toEqual([]);
  });

  it('name every setting of a store and every type of rule', () => {
    const { settings } = bodyOf('patch', STORE)['properties'] as { settings: { properties: Json } };
    expect(Object.keys(settings.properties)).toEqual(
      expect.arrayContaining(['language', 'facets', 'limits', 'retention', 'starterSynonyms', 'showcase']),
    );
    expect(JSON.stringify(bodyOf('put', `${STORE}/rules`))).toContain('"enum":["pin","hide","boost","bury"]');
  });
});
