import { Spelling } from './spelling';

describe('the spelling of a store', () => {
  it('is that of the first text that has the word', () => {
    const spelling = new Spelling(['Máquina  de Lavar', 'CAFÉ Maquina']);
    expect(spelling.of('maquina de cafe 1,5l')).toBe('máquina de café 1,5l');
    expect(spelling.of('cafe')).toBe('café');
  });

  it('leaves words that no text has as they are', () => {
    expect(new Spelling([]).of('geladeira')).toBe('geladeira');
    expect(new Spelling(['Mesa', 'Café']).of('geladeira cafe')).toBe('geladeira café');
  });
});
