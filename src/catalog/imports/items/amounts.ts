import { ApiError } from '../../../shared/api-error';

/** `R$ 1.234,50`, `1,234.50 USD`, `BRL 19.90`: an amount, and the currency where it is named by its code. */
export interface Amount {
  value: number;
  currency: string | null;
}

/**
 * An amount of money as people and spreadsheets write it; null for anything else. The last mark is the decimal one; a single mark before
 * exactly three digits divides thousands where it is a comma, or where `decimalComma` says that commas are decimal.
 */
export function amountOf(text: string, decimalComma = false): Amount | null {
  const found = /^\s*([A-Za-z]{3}\b|[^\d\s.,+-]{1,3})?\s*([+-]?[\d.,'\s]*\d)\s*([A-Za-z]{3}|[^\d\s.,]{1,3})?\s*$/u.exec(
    text,
  );
  if (!found) return null;
  const [, before, digits = '', after] = found;
  const value = Number(plain(digits.replaceAll(/[\s']/g, ''), decimalComma));
  if (!Number.isFinite(value)) return null;
  const code = [before, after].find((name) => name !== undefined && /^[A-Za-z]{3}$/.test(name));
  return { value, currency: code?.toUpperCase() ?? null };
}

function plain(digits: string, decimalComma: boolean): string {
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  if (comma >= 0 && point >= 0) {
    return comma > point ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  }
  const mark = comma >= 0 ? ',' : '.';
  const parts = digits.split(mark);
  if (parts.length === 1) return digits;
  const areThousands =
    parts.slice(1).every((part) => part.length === 3) && (parts.length > 2 || mark === ',' || decimalComma);
  return areThousands ? parts.join('') : digits.replace(',', '.');
}

/** In the store's currency; refused where another one is named. A text that is no amount stays, so that validation names it. */
export function storeAmount(text: string, currency: string, decimalComma = false): number | string {
  const amount = amountOf(text, decimalComma);
  if (!amount) return text;
  if (amount.currency !== null && amount.currency !== currency.toUpperCase()) {
    throw new ApiError(
      'invalid_body',
      `The price "${text}" is in ${amount.currency}; the store's currency is ${currency}`,
    );
  }
  return amount.value;
}
