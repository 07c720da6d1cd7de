import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLayers } from './architecture-page';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

test('docs/architecture.md draws the layers that are checked (npm run docs writes it)', () => {
  expect(withLayers(page)).toBe(page);
  for (const room of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    if (room.isDirectory()) expect(page).toContain(`\`src/${room.name}\``);
  }
});

test('the glossary has at most 40 words', () => {
  const [, glossary = ''] = page.split('\n## Glossary\n');
  const words = [...glossary.matchAll(/^\| \*\*(.+?)\*\*/gm)];
  expect(words.length).toBeGreaterThan(20);
  expect(words.length).toBeLessThanOrEqual(40);
});

test('every file and folder that docs/architecture.md names is there', () => {
  const named = [...page.matchAll(/`((?:src|test|bench|elastic|docs)\/[\w./-]+)`/g)].map(([, path]) => path ?? '');
  const all = new Set(
    ['src', 'test', 'bench', 'elastic', 'docs'].flatMap((folder) => [
      folder,
      ...readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    ]),
  );
  expect(named.filter((path) => !all.has(path.replace(/\/$/, '')))).toEqual([]);
});
