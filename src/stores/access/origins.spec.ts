import { entriesOverlap, entryMatches, parseEntry, parseOrigin, type Origin } from './origins';

function entry(text: string): Origin {
  const parsed = parseEntry(text);
  if (typeof parsed === 'string') throw new Error(`${text}: ${parsed}`);
  return parsed;
}

function lets(text: string, origin: string): boolean {
  const parsed = parseOrigin(origin);
  return parsed !== null && entryMatches(entry(text), parsed);
}

describe('a whitelisted host', () => {
  test.each([
    'https://www.store.example',
    'http://www.store.example',
    'HTTPS://WWW.Store.Example',
    'https://www.store.example:8443',
    'https://www.store.example.',
    'https://www.store.example.:444',
    'www.store.example',
    'www.store.example:80',
    'https://www.store.example/',
  ])('lets %s in', (origin) => {
    expect(lets('www.store.example', origin)).toBe(true);
  });

  test.each([
    'https://store.example',
    'https://evilwww.store.example',
    'https://a.www.store.example',
    'https://www.store.example.evil.test',
    'https://www.store.example@evil.test',
    'https://evil.test/www.store.example',
    'https://evil.test?www.store.example',
    'https://evil.test#www.store.example',
    'https://www.store.example/page',
    'https://user@www.store.example',
    'https://www.store.example, https://evil.test',
    'https://www%2estore.example',
    'https://.www.store.example',
    'https://www.store.example..',
    'null',
    'https://',
    '',
  ])('keeps "%s" out', (origin) => {
    expect(lets('www.store.example', origin)).toBe(false);
  });
});

describe('a whitelisted domain', () => {
  test.each(['https://store.example', 'https://www.store.example', 'http://a.b.store.example:81'])(
    'lets %s in',
    (origin) => {
      expect(lets('.store.example', origin)).toBe(true);
    },
  );

  test.each(['https://evilstore.example', 'https://store.example.evil.test', 'https://example', 'null'])(
    'keeps %s out',
    (origin) => {
      expect(lets('.store.example', origin)).toBe(false);
    },
  );
});

describe('what an entry names is compared', () => {
  test.each([
    ['https://www.store.example', 'https://www.store.example:99', true],
    ['https://www.store.example', 'http://www.store.example', false],
    ['https://www.store.example', 'www.store.example', false],
    ['www.store.example:8080', 'http://www.store.example:8080', true],
    ['www.store.example:8080', 'http://www.store.example', false],
    ['www.store.example:443', 'https://www.store.example', true],
    ['www.store.example:443', 'http://www.store.example', false],
    ['www.store.example.', 'https://www.store.example', false],
    ['www.store.example.', 'https://www.store.example.', true],
    ['.store.example:8080', 'http://a.store.example:8080', true],
    ['loja.exämple.example', 'https://loja.xn--exmple-cua.example', true],
    ['loja.xn--exmple-cua.example', 'https://loja.EXÄMPLE.example', true],
    ['127.0.0.1', 'http://127.0.0.1:5173', true],
    ['[::1]', 'http://[0:0::1]:5173', true],
    ['localhost', 'http://localhost:5173', true],
  ])('%s and %s: %s', (text, origin, expected) => {
    expect(lets(text, origin)).toBe(expected);
  });
});

describe('entries that are refused', () => {
  test.each(['.com.br', 'com.br', '.com', 'com', '.github.io', '.test', '.co.uk'])('%s is a public suffix', (text) => {
    expect(parseEntry(text)).toContain('public suffix');
  });

  test.each([
    '',
    '*',
    '*.store.example',
    'a b',
    'http://',
    'store.example/path',
    '..store.example',
    'null',
    'a:99999',
    '-a.example',
  ])('"%s" is no host', (text) => {
    expect(parseEntry(text)).toContain('Accepted');
  });

  test('an address has no hosts under it', () => {
    expect(parseEntry('.127.0.0.1')).toContain('address');
  });
});

describe('overlapping entries', () => {
  test.each([
    ['www.store.example', 'WWW.store.example:81', true],
    ['.store.example', 'www.store.example', true],
    ['a.b.store.example', '.store.example', true],
    ['.store.example', '.a.store.example', true],
    ['.store.example', 'store.example', true],
    ['www.store.example', 'store.example', false],
    ['.store.example', '.evilstore.example', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(entriesOverlap(entry(a), entry(b))).toBe(expected);
    expect(entriesOverlap(entry(b), entry(a))).toBe(expected);
  });
});
