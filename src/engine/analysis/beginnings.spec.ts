import { beginsNear, forgivesBeginning, mostFrequentWords, nearPattern } from './beginnings';

describe('a word that is being typed', () => {
  it.each([
    ['notebook', 'notbo'],
    ['notebook', 'notre'],
    ['notebook', 'ntoeb'],
    ['notebook', 'notxb'],
    ['notebook', 'notebp'],
    ['tenis', 'teni'],
  ])('%s may begin with %s', (word, typed) => expect(beginsNear(word, typed)).toBe(true));

  it.each([
    ['notebook', 'motebo'],
    ['notebook', 'nxtxb'],
    ['tenis', 'tenisxy'],
    ['mesa', 'notebo'],
  ])('%s does not begin with %s', (word, typed) => expect(beginsNear(word, typed)).toBe(false));

  it('is told alike by the distance and by the pattern', () => {
    const letters = ['a', 'b', 'c'];
    const words = (length: number): string[] =>
      length === 0 ? [''] : words(length - 1).flatMap((word) => letters.map((letter) => word + letter));
    const all = [3, 4, 5].flatMap(words);
    for (const typed of ['abc', 'aab', 'abca', 'acbb']) {
      const pattern = new RegExp(`^(?:${nearPattern(typed)})$`);
      const differing = all.filter((word) => pattern.test(word) !== beginsNear(word, typed));
      expect([typed, differing]).toEqual([typed, []]);
    }
  });

  it('has a pattern that an engine takes, however long', () => {
    expect(nearPattern('internacionaliz').length).toBeLessThan(1000);
  });

  it.each([
    ['no', false],
    ['not', true],
    ['not2', false],
    ['internacionalizacao', false],
  ])('%s may hold a typing mistake: %s', (typed, expected) => expect(forgivesBeginning(typed)).toBe(expected));

  it('stands for the most frequent words, as many as are needed', () => {
    const word = (name: string, documents: number) => ({ word: name, documents });
    expect(mostFrequentWords([word('b', 5), word('a', 5), word('gone', 0), word('c', 9)])).toEqual([
      word('c', 9),
      word('a', 5),
      word('b', 5),
    ]);
    expect(mostFrequentWords([word('rare', 3), word('some', 500), word('most', 2500)])).toEqual([word('most', 2500)]);
    expect(mostFrequentWords(Array.from({ length: 30 }, (_, at) => word(`w${at}`, 1)))).toHaveLength(12);
  });
});
