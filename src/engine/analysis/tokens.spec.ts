import { normaliseWhole } from './normalise';
import { tokenise } from './tokens';

describe('tokens', () => {
  it.each([
    ['Fone WH-1000XM4', ['fone', 'wh', '1000xm4'], ['wh1000xm4']],
    ['Calção d’água', ['calcao', 'd', 'agua'], ['dagua']],
    ["men's T-shirt", ['men', 't', 'shirt'], ['tshirt']],
    ['Straße 5.5', ['strasse', '5', '5'], []],
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー'], []],
    ['ноутбук ＡＢＣ', ['ноутбук', 'abc'], []],
    ['हिन्दी', ['हिन्दी'], []],
    ['--- !!', [], []],
  ])('of %s', (text, words, joined) => {
    expect(tokenise(text)).toEqual({ words, joined });
  });

  it('stop at as many words as asked', () => {
    expect(tokenise('um dois tres quatro', 2).words).toEqual(['um', 'dois']);
  });

  it('are cut where they are longer than anybody types', () => {
    expect(tokenise('a'.repeat(300)).words[0]).toHaveLength(40);
  });

  it('do not matter to whole values but for letters and digits', () => {
    expect(normaliseWhole('  Calção, de (Banho)! ')).toBe('calcao de banho');
    expect(normaliseWhole('!!')).toBe('');
  });
});
