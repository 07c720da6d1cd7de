import { differences, mergePatch } from './merge-patch';
import { defaultTemplate } from './template';
import { contextCheck } from './template-context';
import { CompiledTemplate, defaultDocument, templateBodySchema, templateDocument } from './template-document';

const compiled = (body: object): CompiledTemplate =>
  new CompiledTemplate(templateDocument(templateBodySchema.parse(body)));

const mistakes = (body: unknown): string[] =>
  (templateBodySchema.safeParse(body).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key].join('.'))
      : [issue.path.join('.')],
  );

describe('a template document', () => {
  it('without contexts is its own template', () => {
    expect(new CompiledTemplate(defaultDocument).of({ query: 'x', source: 'app' })).toEqual(defaultTemplate);
  });

  it('changes in a context only what the context says', () => {
    const template = compiled({
      name: 'bold',
      strength: 50,
      signals: { trend: {}, rating: { weight: 0.3 } },
      affinities: { brand: { importance: 1 } },
      contexts: [
        {
          name: 'shoes',
          when: { categories: ['Calçados'] },
          strength: 0,
          signals: { rating: null, trend: { exponent: 0.3 } },
          affinities: { product: { importance: 2 } },
          maxShare: 0.5,
        },
      ],
    });
    const base = template.of({});
    expect(base).toMatchObject({ name: 'bold', strength: 50, maxShare: null });
    expect(template.of({ categories: ['calcados/corrida'] })).toEqual({
      ...base,
      name: 'bold/shoes',
      strength: 0,
      signals: { trend: { ...base.signals.trend, exponent: 0.3 } },
      affinities: { ...base.affinities, product: { ...base.affinities.product, importance: 2 } },
      maxShare: 0.5,
    });
  });

  it('takes the first context that applies', () => {
    const template = compiled({
      name: 't',
      contexts: [
        { name: 'app-tv', when: { sources: ['app'], queries: ['tv'] }, strength: 1 },
        { name: 'app', when: { sources: ['app'] }, strength: 2 },
        { name: 'tv', when: { queries: ['tv*'] }, strength: 3 },
      ],
    });
    const strengthOf = (context: object): number => template.of(context).strength;
    expect(strengthOf({ source: 'App', query: 'TV' })).toBe(1);
    expect(strengthOf({ source: 'app', query: 'sofa' })).toBe(2);
    expect(strengthOf({ query: 'tv 50' })).toBe(3);
    expect(strengthOf({ query: 'sofa' })).toBe(100);
  });

  it('reads a slash in a category with spaces around it as an end of a level or as a part of a name', () => {
    const template = compiled({
      name: 't',
      contexts: [{ name: 'tv', when: { categories: ['Eletro/TV / Vídeo', 'Moda / Calçados'] }, strength: 1 }],
    });
    const strengthOf = (category: string): number => template.of({ categories: [category] }).strength;
    expect(['eletro/tv video/cabos', 'moda/calcados', 'moda calcados'].map(strengthOf)).toEqual([1, 1, 1]);
    expect(['eletro tv video', 'eletro', 'moda'].map(strengthOf)).toEqual([100, 100, 100]);
  });

  it('names every mistake by its path, in contexts too', () => {
    const body = {
      strenght: 1,
      contexts: [
        { name: 'a b', when: {}, strength: 101 },
        { name: 'x', when: { queries: ['*'] }, signals: { trend: { short: '3d' } }, boost: 1 },
        { name: 'y', when: { query: 'tv' } },
        'tv',
      ],
    };
    expect(mistakes(body).sort()).toEqual(
      [
        'strenght',
        'contexts.0.name',
        'contexts.0.when',
        'contexts.0.strength',
        'contexts.1.boost',
        'contexts.1.when.queries.0',
        'contexts.1.signals.trend.short',
        'contexts.2.when',
        'contexts.2.when.query',
        'contexts.3',
      ].sort(),
    );
    const when = { sources: ['app'] };
    const merged = [
      { name: 'x', when, fields: { name: 0 } },
      { name: 'x', when, signals: { trend: { prior: 9 } } },
    ];
    const fields = { brand: 0, categories: 0, tags: 0, skus: 0, description: 0 };
    expect(mistakes({ contexts: merged.slice(1) })).toEqual(['contexts.0.signals.trend.prior']);
    expect(mistakes({ fields, contexts: [merged[0], { ...merged[0], fields: {} }] })).toEqual([
      'contexts.0.fields',
      'contexts.1.name',
    ]);
  });

  it('can be sent again as it was answered', () => {
    const answered = {
      $schema: 'https://shop.example/admin/schemas/boost-template.json',
      ...defaultDocument,
      version: 3,
      active: true,
      updatedAt: null,
      updatedBy: 'ops',
    };
    expect(templateDocument(templateBodySchema.parse(answered))).toEqual(defaultDocument);
  });
});

describe('a query pattern', () => {
  it.each([
    ['notebook', 'Notebook!', true],
    ['notebook', 'notebook gamer', false],
    ['notebook*', 'notebook gamer', true],
    ['notebook *', 'notebooks', false],
    ['*capa*', 'nova capa para celular', true],
    ['* capa', 'capa', false],
    ['calção*azul', 'calcao  AZUL', true],
    ['aba*aba', 'aba', false],
    ['aba*aba', 'aba aba', true],
    ['a*b*c', 'a c b', false],
  ])('%j fits %j: %j', (pattern, query, fits) => {
    expect(contextCheck({ queries: [pattern] })({ query })).toBe(fits);
  });

  it('is of no category unless all that are shown are in it', () => {
    const applies = contextCheck({ categories: ['a/b'] });
    expect(applies({})).toBe(false);
    expect(applies({ categories: ['a/b', 'a/b/c'] })).toBe(true);
    expect(applies({ categories: ['a/bc'] })).toBe(false);
    expect(applies({ categories: ['a/b', 'x'] })).toBe(false);
  });
});

describe('a merge patch', () => {
  it('is undone by the differences it made', () => {
    const before = { a: 1, b: { c: [1, 2], d: null }, e: 'x' };
    const after = mergePatch(before, { a: 2, b: { c: [1] }, e: null, f: 1 });
    expect(after).toEqual({ a: 2, b: { c: [1], d: null }, f: 1 });
    expect(differences(before, after)).toEqual([
      { path: 'a', from: 1, to: 2 },
      { path: 'b.c', from: [1, 2], to: [1] },
      { path: 'e', from: 'x' },
      { path: 'f', to: 1 },
    ]);
  });
});
