import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/storage/threads';

const folder = join(projectRoot, 'web', 'instantsearch');

/** Milliseconds: what starts a build, on a busy machine. */
const SLOW = 120_000;

test(
  'the adapter is a package without dependencies that Node imports and requires',
  () => {
    execFileSync(process.execPath, [join(projectRoot, 'scripts', 'package.mjs'), 'instantsearch'], { stdio: 'pipe' });
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      stdio: 'pipe',
    });
    const [{ files }] = JSON.parse(String(packed)) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    expect(
      paths.filter((path) => !/^(README\.md|package\.json|dist\/index\.js|dist\/[a-z-]+\.d\.ts)$/.test(path)),
    ).toEqual([]);
    const { dependencies, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: object;
      exports: { '.': { default: string } };
    };
    expect(dependencies).toBeUndefined();
    const entry = JSON.stringify(join(folder, exports['.'].default));
    const asked = `console.log(typeof adapter.createSearchClient({ baseUrl: '' }).search, typeof adapter.createInsights({ baseUrl: '' }))`;
    for (const [type, script] of [
      ['module', `import * as adapter from ${entry}; ${asked}`],
      ['commonjs', `const adapter = require(${entry}); ${asked}`],
    ]) {
      const said = execFileSync(process.execPath, [`--input-type=${type}`, '-e', String(script)], { stdio: 'pipe' });
      expect([type, String(said).trim()]).toEqual([type, 'function function']);
    }
  },
  SLOW,
);
