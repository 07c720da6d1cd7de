import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from './api-error';

test('docs/errors.md lists every error word with its status, and no other', () => {
  const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| \S.+ \| \S.+ \|$/gm)];
  expect(Object.fromEntries(rows.map(([, word, status]) => [word, Number(status)]))).toEqual(errorCatalogue);
});
