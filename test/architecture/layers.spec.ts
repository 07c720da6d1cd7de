import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface Violation {
  from: string;
  rule: { name: string };
}

/** What `npm run layers` refuses in a folder that holds `src` and the rules. */
function violationsIn(folder: string): string[] {
  const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, [cruiser, ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  if (stdout === '') throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
}

describe('the check of the layers', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'vitrine-layers-'));
    for (const name of ['src', 'layers.json', '.dependency-cruiser.cjs', 'tsconfig.json']) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const add = (name: string, text: string): void => {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), text);
  };

  test('finds nothing in the code as it is', () => {
    expect(violationsIn(copy)).toEqual([]);
  });

  test('refuses imports of a higher folder, circles of types, mutual folders and a folder without a layer', () => {
    add('src/ranking/upward.ts', "export { SearchEngine } from '../engine/search-engine';\n");
    add('src/ranking/type-only.ts', "import type { Store } from '../stores/store';\nexport type Own = Store;\n");
    add('src/catalog/mutual.ts', "export { EventLog } from '../behaviour/events/event-log';\n");
    add('src/engine/circle-a.ts', "import type { B } from './circle-b';\nexport interface A {\n  b: B;\n}\n");
    add('src/engine/circle-b.ts', "import type { A } from './circle-a';\nexport interface B {\n  a: A;\n}\n");
    add('src/elsewhere/nameless.ts', "export { Clock } from '../shared/clock';\n");
    const found = violationsIn(copy);
    expect(found).toEqual(
      expect.arrayContaining([
        'src/ranking/upward.ts: ranking-imports-from-below',
        'src/ranking/type-only.ts: ranking-imports-from-below',
        'src/catalog/mutual.ts: catalog-imports-from-below',
        'src/engine/circle-a.ts: no-circle',
        'src/elsewhere/nameless.ts: every-folder-has-a-layer',
      ]),
    );
  });
});
