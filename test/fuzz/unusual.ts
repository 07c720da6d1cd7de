import * as fc from 'fast-check';

/** Text that is well-formed and hard to hold, or not even well-formed. */
export const UNUSUAL: readonly string[] = [
  // Halves of a pair: alone, in the wrong order, at the end of a word, and where a cut at a number of units makes them.
  '\ud83d',
  '\udca5x',
  '\udca5\ud83d',
  'tênis \ud83d',
  `${'x'.repeat(255)}💥`,
  `${'x'.repeat(511)}💥`,
  // Beyond the first plane.
  '𝓉𝑒𝓃𝒾𝓈',
  '𠮷野家',
  '\u{10ffff}',
  '\u{e0001}\u{e0041}',
  // From right to left, and overrides of direction.
  'حذاء رياضي',
  'נעלי ריצה tênis',
  '\u202etênis\u202c',
  '\u2066tênis\u2069',
  // Of no width.
  't\u200bê\u200cn\u200di\u2060s',
  '\u200b',
  '\ufe0f',
  '\u00ad\u00adtê\u00adnis',
  // Runs of marks, and single characters of many code points.
  `te${'\u0301'.repeat(500)}nis`,
  `${'\u0489'.repeat(200)}`,
  `👩${'\u200d👩'.repeat(100)}`,
  `ก${'\u0e49'.repeat(300)}`,
  'ᄀ'.repeat(150),
  '🇧'.repeat(101),
  // Forms of the same text, and letters whose case or form changes their number.
  'te\u0302nis',
  'ｔｅ̂ｎｉｓ',
  'ﬁﬂﬀ',
  'ſtraße',
  'Kelvin',
  'ŉ',
  'ΐ',
  'İI\u0307ıi',
  '\u1e9e',
  '½ ² Ⅷ ㎏',
  '１２３',
  '٣٤٥',
  // Nothing that is seen, and what ends lines.
  '\0\0\0',
  'tênis\0',
  '\u0001\u001f\u007f',
  '\u0085\u2028\u2029',
  '\ufffe\uffff\ufdd0',
  '\ufffd',
  '\ue000',
  '\u3000tênis\u3000',
  '\u00a0',
];

const unusualText = fc.constantFrom(...UNUSUAL);

export const unusual: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: unusualText },
  fc.tuple(unusualText, fc.constantFrom('', ' ', 'tênis', '-'), unusualText).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'grapheme-composite', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

/** More different ids than anything that remembers some can hold. */
const flood = fc.nat({ max: 1_000_000_000 });

/** An id: one that is known, one of a flood, or one that is unusual. */
export function idOr(...known: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: flood.map((number) => `id-${number}`) },
    { weight: 1, arbitrary: unusual },
  );
}

/** Addresses of documentation (RFC 5737, RFC 3849), few or very many: proxies in front say whose request it is. */
export const anyAddress: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: 1, max: 250 }).map((last) => `203.0.113.${last}`),
  flood.map((number) => `2001:db8:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`),
);

/** Who a backend says it calls for. */
export const anyNamedUser: fc.Arbitrary<Record<string, string>> = flood.map((number) => ({
  'x-user-id': `named-${number}`,
}));
