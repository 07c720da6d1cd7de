// `node scripts/package.mjs client`: makes `web/<name>/dist` of a package that stores install: one module and its types.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, run } from './ensure.mjs';

const [name] = process.argv.slice(2);
if (!name) throw new Error('Name a package: client, instantsearch');
const folder = join(root, 'web', name);
const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
rmSync(join(folder, 'dist'), { recursive: true, force: true });
await build({
  entryPoints: [join(folder, 'src', 'index.ts')],
  outfile: join(folder, 'dist', 'index.js'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  external: Object.keys(dependencies),
  logLevel: 'warning',
});
run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
