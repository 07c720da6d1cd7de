import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../src/shared/error-catalogue';
import { errorsPage } from './errors-page';

const root = join(__dirname, '../..');

test('docs/errors.md is what the catalogue says (npm run docs writes it)', () => {
  expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toBe(errorsPage());
});

test('every word of the catalogue is answered somewhere', () => {
  const source = join(root, 'src');
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.spec)\.ts$/.test(name) && !name.endsWith('error-catalogue.ts'))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const answered = new Set([...code.matchAll(/(?:ApiError\(\s*|\[|\? |: )'(\w+)'/g)].map(([, word]) => word));
  expect(Object.keys(errors).filter((word) => !answered.has(word))).toEqual([]);
});
