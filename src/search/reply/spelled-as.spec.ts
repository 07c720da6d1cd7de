import { spelledAs } from './spelled-as';

describe('the spelling of a store', () => {
  it('is that of the first text that has the word', () => {
    expect(spelledAs('maquina de cafe 1,5l', ['Máquina  de Lavar', 'CAFÉ Maquina'])).toBe('máquina de café 1,5l');
  });

  it('leaves words that no text has as they are', () => {
    expect(spelledAs('geladeira', [])).toBe('geladeira');
  });
});
