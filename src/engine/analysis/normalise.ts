/** Letters that no decomposition takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};
const PLAIN = /^[\x20-\x7e]*$/;
const SPECIAL = /[ßæœøđðłþı]/g;
/** ½ is a word of its own beside a number: "1½" is no eleven halves. */
const FRACTIONS = /[\u00bc-\u00be\u2150-\u215e]/g;
/** Accents proper: the vowel signs of other scripts are hints too, and they make words. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Lower case without accents, compatibility forms (ﬁ, ², full width) resolved: `Calção` -> `calcao`. */
export function normalise(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const apart = text.replace(FRACTIONS, (sign) => ` ${sign.normalize('NFKD').replace('\u2044', '/')}`);
  const normalised = apart.normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase();
  return normalised.replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

/** How whole values are compared: normalised, anything but letters and digits a single space. */
export function normaliseWhole(text: string): string {
  return normalise(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}
