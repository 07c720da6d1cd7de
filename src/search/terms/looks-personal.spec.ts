import { looksPersonal } from './looks-personal';

describe('what no other shopper may see', () => {
  it.each([
    ['an e-mail', 'maria.silva@loja.example'],
    ['an e-mail in other words', 'presente para maria@x.com azul'],
    ['an e-mail as normalised', 'maria silva gmail com'],
    ['an e-mail spelled out', 'maria arroba loja ponto com'],
    ['an e-mail in full width', 'maria＠loja.com'],
    ['an e-mail encoded', 'maria%40loja.com'],
    ['an e-mail with an invisible character', 'maria\u200b@\u200bloja.com'],
    ['a provider', 'ana.souza outlook com br'],
    ['a CPF', '529.982.247-25'],
    ['a CPF without punctuation', 'cpf 52998224725'],
    ['a CPF with spaces', '529 982 247 25'],
    ['a CPF with wide gaps', '529 . 982 . 247 - 25'],
    ['a CPF in Arabic digits', '٥٢٩٩٨٢٢٤٧٢٥'],
    ['a wrong CPF', '123.456.789-00'],
    ['a CNPJ', '11.222.333/0001-81'],
    ['a CNPJ without punctuation', 'nota 11222333000181'],
    ['a CNPJ with letters', '12.ABC.345/01DE-35'],
    ['a CNPJ with letters, normalised', '12 abc 345 01de 35'],
    ['a card', '4111 1111 1111 1111'],
    ['a card without spaces', 'pagar com 4111111111111111'],
    ['a phone', '(11) 98765-4321'],
    ['a phone with its country', '+55 11 98765 4321'],
    ['a phone without its area', '3333-4444'],
    ['a short phone', 'ligar 555-1234'],
    ['a postal code', '01310-100'],
    ['a date of birth', '12/03/1985'],
    ['any long number', 'pedido 900123456789'],
  ])('%s: %s', (_what, text) => expect(looksPersonal(text)).toBe(true));

  it.each([
    'tênis de corrida',
    'iphone 15 pro max 256gb',
    'notebook i5 15.6 8gb 512gb',
    'pneu 205/55 r16',
    'pneu 205 55 16',
    'sony wh-1000xm4',
    'tv 55 4k 2026',
    'monitor 1920x1080 144hz',
    'lego 75192',
    'sapato 38',
    'vaso de terra com planta',
    'kit 3 x 500 ml',
    'copa 2026',
    '',
  ])('but not %s', (text) => expect(looksPersonal(text)).toBe(false));

  it('is found out in no time, whatever was typed', () => {
    const before = performance.now();
    for (const part of ['1', '1-', 'a@', '12.', 'ab ', '(', ' ']) looksPersonal(part.repeat(512));
    expect(performance.now() - before).toBeLessThan(100);
  });
});
