// Makes the word sets of `dist/dictionaries` from the spelling dictionaries that are installed, with the compiled service's own
// analysis: so a word means the same at the build and in a search.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './ensure.mjs';

const require = createRequire(import.meta.url);

export function buildDictionaries() {
  const compiled = (name) => require(join(root, 'dist', 'engine', 'analysis', 'spelling', `${name}.js`));
  const { dictionaries, wordSetPath } = compiled('right-words');
  const { formsOf } = compiled('compile-dictionary');
  const { WordSet } = compiled('word-set');
  for (const [language, name] of Object.entries(dictionaries)) {
    const read = (file) => readFileSync(join(root, 'node_modules', name, file), 'utf8');
    const path = wordSetPath(language);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, WordSet.from(formsOf({ aff: read('index.aff'), dic: read('index.dic') })).bytes);
  }
}
