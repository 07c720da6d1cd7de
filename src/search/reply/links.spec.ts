import { searchParameters } from '../search-parameters';
import { type LinkContext, linkContext } from './link-context';
import { aroundValue, linkTo, pagination } from './links';

const linked = (path: string, sent: Record<string, string | string[]>): LinkContext =>
  linkContext(path, sent, { parameters: searchParameters.parse(sent), apiKey: 'k' });

const sent = { terms: 'tênis azul', apiKey: 'k', secretKey: 's', page: '2', filter: ['brand:A', 'brand:B'] };
const context = linked('/searchapi/v3/queries', sent);

describe('links of a reply', () => {
  it('keep every parameter but the secret, lists as repeated keys, and end in the page', () => {
    expect(linkTo(context)).toBe(
      '/searchapi/v3/queries?terms=t%C3%AAnis+azul&apiKey=k&filter=brand%3AA&filter=brand%3AB&page=2',
    );
  });

  it('are made of known parameters that count', () => {
    const many = {
      terms: ['bola', 'mesa'],
      hide: 'sort',
      x: '1',
      apiKey: ['k', 'k'],
      userId: 'u'.repeat(300),
      page: '2',
    };
    const made = linked('/q', many);
    expect(made.parameters).toEqual({ terms: 'bola', hide: ['sort'], apiKey: 'k', page: '2' });
    expect(linkTo(made)).toBe('/q?terms=bola&hide=sort&apiKey=k&page=2');
    expect(linkTo(linked('/q', { terms: 'bola', toString: 'x', constructor: 'x' }))).toBe('/q?terms=bola');
  });

  it('replace and leave out parameters', () => {
    expect(linkTo(context, { terms: 'bola', filter: undefined, page: undefined })).toBe(
      '/searchapi/v3/queries?terms=bola&apiKey=k',
    );
  });

  it('that differ in one filter alone are what each would be by itself', () => {
    const unlucky = linked('/q', { terms: 'filter=open & filter=open', filter: 'brand:Ação', page: '3' });
    for (const given of [context, unlucky]) {
      const before = [given.parameters['filter'] ?? []].flat();
      const [head, tail] = aroundValue(given, 'filter', before);
      for (const filter of ['d:1:2', 'c:3:4:0.5:99.99']) {
        const link = `${head}${encodeURIComponent(filter)}${tail}`;
        expect(link).toBe(linkTo(given, { filter: [...before, filter], page: undefined }));
      }
    }
    const none = linked('/q', { terms: 'bola' });
    expect(aroundValue(none, 'filter', [])).toEqual([linkTo(none, { filter: [''] }), '']);
  });

  it('have next only where there is one, and prev only where there is one', () => {
    const links = (page: number, size: number) => pagination(context, { page, perPage: 24, size, deepest: 10_000 });
    expect(links(1, 24)).toMatchObject({
      first: expect.stringMatching(/page=1$/),
      last: expect.stringMatching(/page=1$/),
    });
    expect(links(1, 24)).not.toHaveProperty('next');
    expect(links(1, 24)).not.toHaveProperty('prev');
    expect(links(2, 60)).toMatchObject({
      prev: expect.stringMatching(/page=1$/),
      next: expect.stringMatching(/page=3$/),
    });
    expect(links(3, 60)).not.toHaveProperty('next');
    expect(links(1, 0).last).toMatch(/page=1$/);
  });

  it('never lead deeper than a search may go', () => {
    expect(pagination(context, { page: 1, perPage: 100, size: 1_000_000, deepest: 10_000 }).last).toMatch(/page=100$/);
  });
});
