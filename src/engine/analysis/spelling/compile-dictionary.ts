import { normalise } from '../normalise';
import { LONGEST_WORD } from '../tokens';

/** A dictionary as Hunspell keeps it: rules of endings and beginnings, and words with the names of the rules they take. */
export interface HunspellDictionary {
  aff: string;
  dic: string;
}

interface Rule {
  strip: string;
  add: string;
  /** What the word must look like; null: anything. */
  condition: RegExp | null;
  prefix: boolean;
}

const SHORTEST = 3;
/** Names, abbreviations and what is written in parts are not in question: a store's own words stand for them. */
const PLAIN_WORD = /^\p{Ll}+$/u;

/**
 * The words of a dictionary in all their forms, normalised; some more than once. Endings of endings, and a beginning and an ending at once,
 * are left out: nobody searches by them.
 */
export function* formsOf({ aff, dic }: HunspellDictionary): Generator<string, void> {
  const rules = rulesOf(aff);
  const forbidden = /^FORBIDDENWORD (\S+)/m.exec(aff)?.[1];
  for (const line of dic.split('\n').slice(1)) {
    const [entry = ''] = line.split(/[\t ]/, 1);
    const [word = '', names = ''] = entry.trim().split('/');
    if (!PLAIN_WORD.test(word) || (forbidden !== undefined && names.includes(forbidden))) continue;
    yield* searchable(word);
    for (const name of names) for (const rule of rules.get(name) ?? []) yield* searchable(applied(rule, word));
  }
}

function* searchable(form: string | null): Generator<string, void> {
  if (form === null || form.length < SHORTEST || !PLAIN_WORD.test(form)) return;
  const normalised = normalise(form);
  if (normalised.length <= LONGEST_WORD) yield normalised;
}

/** By name: one character each. */
function rulesOf(aff: string): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  for (const line of aff.split('\n')) {
    const [kind, name = '', strip = '', ending = '', condition] = line.trim().split(/\s+/);
    // The first line of a rule says how many there are of it.
    if ((kind !== 'SFX' && kind !== 'PFX') || condition === undefined) continue;
    const prefix = kind === 'PFX';
    const own: Rule = {
      strip: strip === '0' ? '' : strip,
      add: ending.split('/')[0] === '0' ? '' : (ending.split('/')[0] ?? ''),
      condition: condition === '.' ? null : new RegExp(prefix ? `^${condition}` : `${condition}$`, 'u'),
      prefix,
    };
    rules.set(name, [...(rules.get(name) ?? []), own]);
  }
  return rules;
}

function applied({ strip, add, condition, prefix }: Rule, word: string): string | null {
  if (condition && !condition.test(word)) return null;
  if (prefix) return word.startsWith(strip) ? add + word.slice(strip.length) : null;
  return word.endsWith(strip) ? word.slice(0, word.length - strip.length) + add : null;
}
