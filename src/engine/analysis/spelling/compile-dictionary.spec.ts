import { formsOf } from './compile-dictionary';
import { WordSet } from './word-set';

const aff = [
  'SET UTF-8',
  'FORBIDDENWORD x',
  'SFX B Y 2',
  'SFX B 0 s [^s]',
  'SFX B ão ões/Q ão',
  'PFX D Y 1',
  'PFX D 0 des .',
].join('\n');
const dic = ['6', 'calção/B', 'rua/B', 'lápis/B', 'feito/BD', 'Rui', 'errado/x', 'guarda-chuva', 'pé'].join('\n');

describe('a dictionary', () => {
  it('is its words in all their forms, normalised, without names and what is written in parts', () => {
    expect([...new Set(formsOf({ aff, dic }))]).toEqual([
      'calcao',
      'calcaos',
      'calcoes',
      'rua',
      'ruas',
      'lapis',
      'feito',
      'feitos',
      'desfeito',
    ]);
  });

  it('fits into a word set that has its words and hardly any other', () => {
    const words = Array.from({ length: 20_000 }, (_, number) => `w${number}`);
    const set = WordSet.of(WordSet.from(words).bytes);
    expect(words.filter((word) => !set.has(word))).toEqual([]);
    const others = Array.from({ length: 20_000 }, (_, number) => `x${number}`).filter((word) => set.has(word));
    expect(others.length).toBeLessThan(200);
    expect(set.bytes.length).toBeLessThan(31_000);
  });
});
