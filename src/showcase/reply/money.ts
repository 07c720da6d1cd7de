import type { Money } from './reply-schemas';

/** How a locale writes a currency. */
interface Style {
  format: Intl.NumberFormat;
  decimals: number;
  signs: Pick<Money, 'currencySymbol' | 'currencyCode' | 'thousandSeparator' | 'decimalSeparator'>;
}

const styles = new Map<string, Style>();

/** `amount` in units of the currency, rounded half up to its decimals. */
export function money(amount: number, { locale, currency }: { locale: string; currency: string }): Money {
  const { format, decimals, signs } = styleOf(locale, currency);
  const value = roundHalfUp(amount, decimals);
  const [integer = '0', fraction = '0'] = value.split('.');
  return {
    // The text, not the number: it is rounded already.
    formattedValue: format.format(value as Intl.StringNumericLiteral),
    value,
    integerPart: Number(integer),
    decimalPart: Number(fraction),
    ...signs,
  };
}

/** Rounds half up as the number is written in decimals: 1.005 becomes 1.01, though its double is a little less. */
export function roundHalfUp(amount: number, decimals: number): string {
  const [integer = '0', fraction = ''] = plainDecimal(Math.abs(amount)).split('.');
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  const up = Number(fraction[decimals] ?? '0') >= 5 ? 1n : 0n;
  const digits = (BigInt(`${integer}${kept}`) + up).toString().padStart(decimals + 1, '0');
  const sign = amount < 0 && /[1-9]/.test(digits) ? '-' : '';
  if (decimals === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Without an exponent. */
function plainDecimal(amount: number): string {
  const [mantissa = '0', power] = String(amount).split('e');
  if (power === undefined) return mantissa;
  const [integer = '0', fraction = ''] = mantissa.split('.');
  const exponent = Number(power);
  if (exponent < 0) return `0.${'0'.repeat(-exponent - integer.length)}${integer}${fraction}`;
  return `${integer}${fraction.padEnd(exponent, '0')}`;
}

function styleOf(locale: string, currency: string): Style {
  const name = `${locale}\n${currency}`;
  const known = styles.get(name);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  // Seven digits: some locales do not separate four.
  const parts = format.formatToParts(1_234_567.8);
  const part = (type: string): string | undefined => parts.find((found) => found.type === type)?.value;
  const signs = {
    currencySymbol: part('currency') ?? currency,
    currencyCode: currency,
    thousandSeparator: part('group') ?? '',
    // Of a currency without decimals, what the locale writes elsewhere.
    decimalSeparator: part('decimal') ?? decimalOf(locale),
  };
  const style = { format, decimals: format.resolvedOptions().maximumFractionDigits ?? 2, signs };
  styles.set(name, style);
  return style;
}

function decimalOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
