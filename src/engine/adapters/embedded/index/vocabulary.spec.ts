import { Vocabulary } from './vocabulary';

/** Terms that were freed, and whose numbers stand for others before what they leave behind is swept. */
function reused(before: readonly string[], after: readonly string[]): Vocabulary {
  const vocabulary = new Vocabulary();
  before.forEach((term, id) => vocabulary.set(id, term));
  vocabulary.keepOnly({ from: 0, to: before.length }, []);
  after.forEach((term, id) => vocabulary.set(id, term));
  const steps = [...vocabulary.sweep()];
  expect(steps.length).toBeGreaterThan(0);
  return vocabulary;
}

const plenty = () => ({ left: 1_000_000 });
const near = (vocabulary: Vocabulary, word: string): string[] =>
  (vocabulary.near(word, plenty()) ?? []).map((found) => found.word);
const begun = (vocabulary: Vocabulary, beginning: string): string[] =>
  vocabulary.starts.beginning(beginning, plenty()).map(({ word }) => word);

test('a number that stood for a word and stands for what is none is no word', () => {
  const vocabulary = reused(['wcamisas', 'wcamera'], ['Ncamisas', 'scamis']);
  expect([near(vocabulary, 'camisaz'), begun(vocabulary, 'cam')]).toEqual([[], []]);
});

test('a word that has another number is found once', () => {
  const vocabulary = reused(['wtenis'], ['Ntenis', 'wtenis']);
  expect([near(vocabulary, 'teniz'), begun(vocabulary, 'ten')]).toEqual([['tenis'], ['tenis']]);
});

test('a word that has its number back is found once', () => {
  const vocabulary = reused(['wtenis', 'wtensi'], ['wtensi', 'wtenis']);
  expect([near(vocabulary, 'teniz'), begun(vocabulary, 'ten').sort()]).toEqual([['tenis'], ['tenis', 'tensi']]);
});
