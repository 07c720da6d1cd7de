import type { Completion, NearWord, WordAnswer } from '../search-engine';
import { anyChange, likelyChange, otherSpelling, splitsOf } from './word-changes';

const near = (word: string, cost: number): NearWord => ({ word, distance: 1, cost, documents: 1 });
const longer = (word: string): Completion => ({ word, distance: 0, documents: 1, rarity: 1 });
const answer = (words: Partial<Pick<WordAnswer, 'near' | 'completions'>>): WordAnswer => {
  return { documents: 0, of: 10, near: [], completions: [], ...words };
};

describe('a word that nobody knows', () => {
  it('is completed before it is changed, but for a short one', () => {
    const both = answer({ near: [near('note', 0.9)], completions: [longer('notebook'), longer('notebooks')] });
    expect(likelyChange('noteb', both)).toMatchObject({ kind: 'completion', words: [{ word: 'notebook' }, {}] });
    expect(likelyChange('not', both)).toMatchObject({ kind: 'correction', words: [{ word: 'note' }] });
    expect(likelyChange('not', answer({ completions: [longer('note')] }))).toMatchObject({ kind: 'completion' });
  });

  it('is corrected by a likely slip at once, by an unlikely one when it is not two words', () => {
    const unlikely = answer({ near: [near('smart', 1.8)] });
    expect(likelyChange('smarttv', unlikely)).toBeNull();
    expect(anyChange(unlikely)).toMatchObject({ kind: 'correction', words: [{ word: 'smart' }] });
    expect(
      likelyChange('bala', answer({ near: [near('bola', 1), near('mala', 1), near('balao', 1.4)] })),
    ).toMatchObject({
      words: [{ word: 'bola' }, { word: 'mala' }],
    });
    expect(anyChange(answer({}))).toBeNull();
  });

  it('is another spelling of a right word alone', () => {
    const alike = answer({ near: [near('smarttone', 0.5), near('smartphone', 0.6)] });
    expect(otherSpelling('smartfone', alike)).toMatchObject({ kind: 'correction', words: [{ word: 'smartphone' }] });
    expect(otherSpelling('sala', answer({ near: [near('saia', 1)] }))).toBeNull();
  });

  it('is split into words of at least three letters, of two where it is long, and into no filler words', () => {
    const usual = { right: false, stopWords: new Set(['de', 'para']) };
    expect(splitsOf('notes', usual)).toEqual([]);
    expect(splitsOf('smarttv', usual)).toContainEqual(['smart', 'tv']);
    expect(splitsOf('camade', usual)).not.toContainEqual(['cama', 'de']);
    expect(splitsOf('notebook', { ...usual, right: true })).toEqual([['note', 'book']]);
    expect(splitsOf('fps50', usual)).toEqual([['fps', '50']]);
    expect(splitsOf('50un', usual)).toEqual([['50', 'un']]);
  });
});
