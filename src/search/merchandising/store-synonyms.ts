import { Synonyms } from '../../engine/plan/synonyms';
import type { Store } from '../../stores/store';
import type { Synonym } from './merchandising-schemas';

/** Lists stay the same objects until they are changed; a store without one shares the empty list with all others. */
const made = new WeakMap<readonly Synonym[], Map<string, Synonyms>>();

/** What stands for what in a store: its own list, and the one of its language unless it has turned that off. */
export function synonymsOf({ settings }: Store, own: readonly Synonym[]): Synonyms {
  const { language, starterSynonyms: starter } = settings;
  const ofList = made.get(own) ?? new Map<string, Synonyms>();
  made.set(own, ofList);
  const key = `${language} ${starter}`;
  const known = ofList.get(key);
  if (known) return known;
  const synonyms = new Synonyms(own, { language, starter });
  ofList.set(key, synonyms);
  return synonyms;
}
