import { clickLinks, readTracking, type TrackedHit } from './click-link';

const hit = { searchId: '7f1c2c1e-8b0a-4f57-9d0a-3a1f6f0f2a11', product: 'á b+c/1', position: 3 };
const shop = { id: 'abc', apiKey: 'my store' };
const clickLink = (secret: string, store: typeof shop, { searchId, ...named }: TrackedHit): string =>
  clickLinks(secret, store, searchId)(named);
const trackingOf = (link: string): string => new URL(link, 'http://shop.example').searchParams.get('trackingId') ?? '';

describe('the click link of a hit', () => {
  it('is relative, and trackingId is not its first parameter', () => {
    expect(clickLink('secret', shop, hit)).toMatch(
      /^\/search\/v3\/clicks\?apiKey=my%20store&trackingId=[A-Za-z0-9%]+$/,
    );
  });

  it('names the search, the product and the position it was made for', () => {
    expect(readTracking(['secret'], shop, trackingOf(clickLink('secret', shop, hit)))).toEqual(hit);
  });

  it('is still read after the secret was rotated', () => {
    expect(readTracking(['new', 'old'], shop, trackingOf(clickLink('old', shop, hit)))).toEqual(hit);
  });

  it('is refused for another store, another secret, or when changed', () => {
    const tracking = trackingOf(clickLink('secret', shop, hit));
    const changed = Buffer.from(Buffer.from(tracking, 'base64').toString().replace('"n":3', '"n":1')).toString(
      'base64',
    );
    expect(readTracking(['secret'], { ...shop, id: 'successor' }, tracking)).toBeNull();
    expect(readTracking(['guess'], shop, tracking)).toBeNull();
    expect(readTracking(['secret'], shop, changed)).toBeNull();
    expect(readTracking(['secret'], shop, 'bm9uc2Vuc2U=')).toBeNull();
  });
});
