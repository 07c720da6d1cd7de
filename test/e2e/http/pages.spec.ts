import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { embeddedMode } from '../../support/modes';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** Bytes a shop's page may spend on the tag. */
const MOST_BYTES = 5 * 1024;

describe('pages of the service itself', () => {
  let service: WholeApp;
  beforeAll(async () => {
    service = await startWholeApp(embeddedMode);
  });
  afterAll(() => service.close());

  test('/ says where to go, and loads nothing', async () => {
    const { status, headers, text } = await service.send({ path: '/' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => String(link));
    expect(links).toEqual(['/demo', '/console', '/docs', '/openapi.json', '/health/ready', '/metrics', '/vitrine.js']);
    for (const path of links) expect([path, (await service.send({ path })).status]).toEqual([path, 200]);
    expect(text).not.toMatch(/https?:|<script|<img|<link|style="/);
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
  });

  test('/vitrine.js is small, cached, and known by its tag', async () => {
    const first = await service.send({ path: '/vitrine.js' });
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
    expect(gzipSync(first.text).length).toBeLessThanOrEqual(MOST_BYTES);
    const again = await service.send({
      path: '/vitrine.js',
      headers: { 'if-none-match': String(first.headers['etag']) },
    });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', first.headers['etag']]);
  });
});
