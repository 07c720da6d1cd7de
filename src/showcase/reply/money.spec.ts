import { money, roundHalfUp } from './money';

/** Intl writes spaces that do not break. */
const plain = (text: string): string => text.replaceAll(/\s/gu, ' ');

type Parts = [value: string, integer: number, decimal: number, symbol: string, thousand: string, point: string];

describe('money', () => {
  test.each<[amount: number, locale: string, currency: string, formatted: string, parts: Parts]>([
    [1234.56, 'pt-BR', 'BRL', 'R$ 1.234,56', ['1234.56', 1234, 56, 'R$', '.', ',']],
    [1234.56, 'en-US', 'USD', '$1,234.56', ['1234.56', 1234, 56, '$', ',', '.']],
    [1234.05, 'de-DE', 'EUR', '1.234,05 €', ['1234.05', 1234, 5, '€', '.', ',']],
    [1234.5, 'ja-JP', 'JPY', '￥1,235', ['1235', 1235, 0, '￥', ',', '.']],
    [0, 'pt-BR', 'BRL', 'R$ 0,00', ['0.00', 0, 0, 'R$', '.', ',']],
    [0, 'ja-JP', 'JPY', '￥0', ['0', 0, 0, '￥', ',', '.']],
    [
      987_654_321_098.76,
      'pt-BR',
      'BRL',
      'R$ 987.654.321.098,76',
      ['987654321098.76', 987_654_321_098, 76, 'R$', '.', ','],
    ],
    [1.5, 'en-US', 'KWD', 'KWD 1.500', ['1.500', 1, 500, 'KWD', ',', '.']],
    [7.9, 'es-ES', 'EUR', '7,90 €', ['7.90', 7, 90, '€', '.', ',']],
  ])('%p in %s and %s', (amount, locale, currency, formatted, [value, integer, decimal, symbol, thousand, point]) => {
    const { formattedValue, ...rest } = money(amount, { locale, currency });
    expect(plain(formattedValue)).toBe(formatted);
    expect(rest).toEqual({
      value,
      integerPart: integer,
      decimalPart: decimal,
      currencySymbol: symbol,
      currencyCode: currency,
      thousandSeparator: thousand,
      decimalSeparator: point,
    });
  });
});

describe('roundHalfUp', () => {
  test.each([
    [1.005, 2, '1.01'],
    [1.004999, 2, '1.00'],
    [2.5, 0, '3'],
    [0.995, 2, '1.00'],
    [1e21, 2, '1000000000000000000000.00'],
    [5e-7, 2, '0.00'],
    [-1.005, 2, '-1.01'],
    [-0.001, 2, '0.00'],
  ])('%p to %p decimals', (amount, decimals, expected) => expect(roundHalfUp(amount, decimals)).toBe(expected));
});
