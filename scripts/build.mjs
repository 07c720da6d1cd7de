// Compiles `src` to `dist`, makes the word sets of the dictionaries, the bundle, the browser tag and the pages. In one process by swc itself: the Nest CLI takes three times as long, most
// of it to load what it doesn't use here, and the first start waits for it.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { bundle } from './bundle.mjs';
import { buildDictionaries } from './dictionaries.mjs';
import { root } from './ensure.mjs';
import { buildPages } from './pages.mjs';
import { buildTag } from './tag.mjs';

const source = join(root, 'src');
const out = join(root, 'dist');

async function compile(name) {
  const target = join(out, name.replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(join(source, name), {
    configFile: join(root, '.swcrc'),
    sourceFileName: relative(dirname(target), join(source, name)),
    jsc: { transform: { useDefineForClassFields: false } },
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${code}\n//# sourceMappingURL=${target.split(/[\\/]/).at(-1)}.map`);
  writeFileSync(`${target}.map`, map);
}

const names = readdirSync(source, { recursive: true }).filter((name) => /(?<!\.spec)\.ts$/.test(name));
rmSync(out, { recursive: true, force: true });
const pages = buildPages();
await Promise.all(names.map(compile));
buildDictionaries();
await Promise.all([bundle(), buildTag(), pages]);
