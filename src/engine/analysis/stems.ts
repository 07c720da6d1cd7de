import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { remembered } from '../../shared/remembered';
import { masculineOf } from './adjectives';

/**
 * Light stemming on normalised words. Plurals, and the gender of adjectives of a list, on purpose: fuller stemmers make one word of `universal` and
 * `university`, and Snowball's Portuguese does not unite `calção` and `calções`. What counts is that all
 * forms of a word end alike, not that the stem is a word; a stem is a pure function of the normalised word, so that index
 * and query always agree.
 */
export type Stemmer = (word: string) => string;

const SHORTEST = 4;

/** Endings rewritten in this order, the first that fits. */
type Ending = readonly [from: string, to: string];

const PORTUGUESE: readonly Ending[] = [
  ['oes', 'ao'],
  ['aes', 'ao'],
  ['aos', 'ao'],
  ['ais', 'al'],
  ['eis', 'el'],
  ['ois', 'ol'],
  ['uis', 'ul'],
  ['is', 'el'],
  ['ns', 'm'],
  ['il', 'el'],
];

function rewrite(word: string, endings: readonly Ending[]): string {
  for (const [from, to] of endings) {
    if (word.endsWith(from) && word.length > from.length) return word.slice(0, -from.length) + to;
  }
  return word;
}

const portugueseMasculine = masculineOf('pt');
const spanishMasculine = masculineOf('es');

/** calções -> calcao, papéis -> papel, flores -> flor, viagens -> viagem, pretas -> preto. */
function portuguese(word: string): string {
  if (word.length < SHORTEST) return word;
  const stem = rewrite(word, PORTUGUESE);
  return stem === word ? portugueseMasculine(withoutPlural(word, /[rzsn]e$/)) : stem;
}

/** camiones -> camion, luces -> luc, coches -> coch: singulars lose the same letters; blancas -> blanco. */
function spanish(word: string): string {
  const stem = word.length < SHORTEST ? word : spanishMasculine(withoutPlural(word, /[^aeiou]e$/));
  return stem.endsWith('z') && stem.length > 2 ? `${stem.slice(0, -1)}c` : stem;
}

/** Takes the s, an e the plural may have brought (with or without s, so that both forms end alike), and an s before it. */
function withoutPlural(word: string, broughtE: RegExp): string {
  let stem = word;
  if (stem.endsWith('s')) stem = stem.slice(0, -1);
  if (stem.length >= SHORTEST && broughtE.test(stem)) stem = stem.slice(0, -1);
  if (stem.length >= SHORTEST && stem.endsWith('s')) stem = stem.slice(0, -1);
  return stem;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  men: 'man',
  women: 'woman',
  children: 'child',
  feet: 'foot',
  teeth: 'tooth',
  mice: 'mouse',
  geese: 'goose',
  people: 'person',
};

/** shoes and shoe -> sho, boxes -> box, batteries -> battery, knives and knife -> knif. */
function english(word: string): string {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular !== undefined) return english(irregular);
  if (word.length < SHORTEST) return word;
  const singular = englishSingular(word);
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}i`;
  if (/(?:ve|fe)$/.test(singular)) return `${singular.slice(0, -2)}f`;
  if (/[^aeiou]ie$/.test(singular)) return singular.slice(0, -1);
  return singular.endsWith('oe') ? singular.slice(0, -1) : singular;
}

function englishSingular(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (/(?:sses|xes|ches|shes|zzes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Languages without a light stemmer of ours get Snowball's, on normalised words too: what counts is that both sides agree. */
const STEMMERS: Readonly<Record<string, Stemmer>> = {
  pt: portuguese,
  es: spanish,
  en: english,
  da: danish,
  de: german,
  fi: finnish,
  fr: french,
  it: italian,
  nb: norwegian,
  nl: dutch,
  no: norwegian,
  sv: swedish,
};

/** `pt-BR` -> `pt`. */
export function primaryLanguage(language: string): string {
  return (language.split(/[-_]/, 1)[0] ?? '').toLowerCase();
}

/** Most words of a catalog are met again and again, and a stem takes several times as long to make as to find. */
const MOST_REMEMBERED = 10_000;
const remembering = new Map(
  Object.entries(STEMMERS).map(([language, stemmer]): [string, Stemmer] => [
    language,
    remembered(MOST_REMEMBERED, (word) => (/\d/.test(word) ? word : stemmer(word))),
  ]),
);

/** The stemmer of a language (BCP 47, by its primary subtag); unknown ones keep words as they are. */
export function stemmerOf(language: string): Stemmer {
  return remembering.get(primaryLanguage(language)) ?? ((word) => word);
}
