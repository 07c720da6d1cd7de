import { isBot } from './bots';

describe('isBot', () => {
  test.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0 Safari/537.36',
  ])('knows %s', (agent) => expect(isBot(agent)).toBe(true));

  test.each([
    '',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
    'okhttp/4.9.3',
    'axios/1.7.2',
    'curl/8.5.0',
    'node',
    'Java/17.0.1',
    'GuzzleHttp/7',
    'undici',
    'python-requests/2.31',
  ])('takes "%s" for none', (agent) => expect(isBot(agent)).toBe(false));
});
