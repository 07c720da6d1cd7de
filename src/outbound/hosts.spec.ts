import { isHost, isListed } from './hosts';

describe('hosts', () => {
  test.each(['localhost', 'feeds.internal', '10.0.0.5', '::1', '[::1]', 'loja.exemplo.com.'])('%s is one', (host) =>
    expect(isHost(host)).toBe(true),
  );

  test.each([
    '',
    'http://localhost',
    'localhost:8080',
    'a b',
    'a/b',
    'user@host',
    '2130706433',
    '0x7f.1',
    'a?b',
    'a\\b',
  ])('%j is none', (host) => expect(isHost(host)).toBe(false));

  test('are the same however they are written', () => {
    expect(isListed('localhost', ['LOCALHOST.'])).toBe(true);
    expect(isListed('::1', ['[0:0::1]'])).toBe(true);
    expect(isListed('10.0.0.5', ['10.0.0.50', '0.0.5'])).toBe(false);
    expect(isListed('evil.feeds.internal', ['feeds.internal'])).toBe(false);
  });
});
