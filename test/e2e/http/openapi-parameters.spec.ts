import { canonicalParameters } from '../../../src/http/query-string';
import { embeddedMode } from '../../support/modes';
import { must } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

interface Described {
  description?: string;
  example?: unknown;
}
interface Parameter extends Described {
  name: string;
  in: string;
  schema?: Described;
}
type Paths = Record<string, Record<string, { parameters?: Parameter[] }>>;

/** What somebody who reads `/docs` learns of parameters, on every route. */
describe('parameters in /openapi.json', () => {
  let service: WholeApp;
  let all: (Parameter & { route: string })[];

  beforeAll(async () => {
    service = await startWholeApp(embeddedMode);
    const { paths } = must(await service.send({ path: '/openapi.json' }), 200) as unknown as { paths: Paths };
    all = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { parameters = [] }]) =>
        parameters.map((parameter) => ({ ...parameter, route: `${method} ${path} ${parameter.in} ${parameter.name}` })),
      ),
    );
  });
  afterAll(() => service.close());

  const without = (field: keyof Described): string[] =>
    all.filter((one) => (one[field] ?? one.schema?.[field]) === undefined).map(({ route }) => route);

  it('are all described', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(without('description')).toEqual([]);
  });

  it('all have an example', () => {
    expect(without('example')).toEqual([]);
  });

  it('may be written in any casing where they are in a query', () => {
    const named = all.filter((one) => one.in === 'query' && !canonicalParameters.includes(one.name));
    expect(named.map(({ route }) => route)).toEqual([]);
  });
});
