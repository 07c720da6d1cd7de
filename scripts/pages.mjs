// Makes `dist/web/demo` and `dist/web/console`, the pages that the service serves, from `web/storefront` and `web/console`.
import { join } from 'node:path';
import { root } from './ensure.mjs';

const PAGES = [
  { name: 'storefront', path: 'demo' },
  { name: 'console', path: 'console' },
];

export async function buildPages() {
  const { build } = await import('vite');
  const source = (name) => join(root, 'web', name, 'src', 'index.ts');
  await Promise.all(
    PAGES.map(({ name, path }) =>
      build({
        configFile: false,
        root: join(root, 'web', name),
        base: `/${path}/`,
        logLevel: 'warn',
        // Put into each reply by the service (src/http/pages/web-pages.ts).
        html: { cspNonce: '__NONCE__' },
        resolve: { alias: { 'vitrine-client': source('client'), 'vitrine-instantsearch': source('instantsearch') } },
        // An inlined file would be a `data:` address, which the pages' policy allows for pictures alone.
        build: {
          outDir: join(root, 'dist', 'web', path),
          emptyOutDir: true,
          target: 'es2022',
          assetsInlineLimit: 0,
          reportCompressedSize: false,
          // Which plugin a slow machine took long for is of no use to whoever starts the service.
          rolldownOptions: {
            checks: { bundlerTimings: false },
            // Component libraries say "use client" to servers that render; there is none here.
            onLog: (level, log, handler) => {
              if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
            },
          },
        },
      }),
    ),
  );
}
