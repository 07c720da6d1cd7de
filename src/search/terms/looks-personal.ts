/** So many digits in a row are a phone, a document, a card, a postal code or a date of birth, whatever stands between them. */
const LONG_NUMBER = /(?:\p{Nd}[^\p{L}\p{N}]{0,3}){8}/u;
/** A phone without its area. */
const SHORT_PHONE = /(?<![\p{L}\p{N}])\p{Nd}{3}-\p{Nd}{4}(?![\p{L}\p{N}])/u;
const MAIL = /[^\s@]@[^\s@]|%40/;
/** An address of mail without its sign: `maria at gmail com`, `maria arroba loja.com`. */
const SPELLED_MAIL =
  /\barroba\b|\b(?:gmail|hotmail)\b|\b(?:outlook|yahoo|icloud|live|uol|bol|terra|proton)(?:\.com\b|\s+com(?:\s+br)?\s*$)|[([{]at[)\]}]/;
/** Invisible characters that would hide a number or a sign. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * Whether a text holds something like an e-mail, phone, card or tax number, so that no other shopper may see it. A product's code that looks
 * like one is taken for one.
 */
export function looksPersonal(text: string): boolean {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  return [MAIL, SPELLED_MAIL, LONG_NUMBER, SHORT_PHONE].some((shape) => shape.test(plain)) || holdsCompany(plain);
}

const COMPANY = /(?<![\p{L}\p{N}])[\da-z]{2}\W?[\da-z]{3}\W?[\da-z]{3}\W?[\da-z]{4}\W?\d{2}(?![\p{L}\p{N}])/gu;
const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** A Brazilian CNPJ of 2026, which may have letters: only its check digits tell it from words. */
function holdsCompany(text: string): boolean {
  return (text.match(COMPANY) ?? []).some((found) => {
    const values = Array.from(found.toUpperCase().replace(/[^\dA-Z]/g, ''), (letter) => letter.charCodeAt(0) - 48);
    return [12, 13].every((at) => values[at] === checkDigit(values.slice(0, at)));
  });
}

/** Modulo 11, the last value weighing 2. */
function checkDigit(values: readonly number[]): number {
  const weights = WEIGHTS.slice(WEIGHTS.length - values.length);
  const rest = values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) % 11;
  return rest < 2 ? 0 : 11 - rest;
}
