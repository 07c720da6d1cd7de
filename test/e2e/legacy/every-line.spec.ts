import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchParameters } from '../../../src/search/search-parameters';

/** Lines of section 11 of the wire contract: what clients in the field rely on. */
const LINES = 12;
/** Found in links of clients; no row of the table. */
const OF_LINKS = ['ranking', 'p', 'topsearch', 'origin'];
const rows = Object.keys(searchParameters.shape).filter((name) => !OF_LINKS.includes(name));

/** Titles of tests here that begin with what they are of: `line 4: ...`, `row page: ...`, `row userId and row deviceId: ...`. */
const titles = readdirSync(__dirname)
  .filter((name) => name.endsWith('.spec.ts') && join(__dirname, name) !== __filename)
  .flatMap((name) => Array.from(readFileSync(join(__dirname, name), 'utf8').matchAll(/['`]((?:line|row) .*?)['`]/g)))
  .map(([, title = '']) => title);

describe('the wire contract', () => {
  it.each(Array.from({ length: LINES }, (_, index) => index + 1))('has a test of line %i of section 11', (line) => {
    expect(titles.filter((title) => title.startsWith(`line ${line}:`))).not.toEqual([]);
  });

  it.each(rows)('has a test of row %s of table 4.1', (row) => {
    expect(titles.filter((title) => new RegExp(`\\brow ${row}\\b`).test(title))).not.toEqual([]);
  });
});
