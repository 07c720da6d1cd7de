// Makes `dist/web/vitrine.js`, the script that stores put into their pages, from `web/tag`.
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './ensure.mjs';

export async function buildTag() {
  await build({
    entryPoints: [join(root, 'web', 'tag', 'src', 'tag.ts')],
    outfile: join(root, 'dist', 'web', 'vitrine.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    // What is in use for five years; newer syntax is rewritten.
    target: 'es2020',
    logLevel: 'warning',
  });
}
