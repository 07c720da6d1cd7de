import { z } from 'zod';
import { templateBodySchema } from './template-document';

type Schema = { [name: string]: unknown; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

/** What editors show beside each part. By path, and `*` for any name; a context's parts are those of the template. */
const descriptions: Readonly<Record<string, string>> = {
  $schema: 'Where this schema is, for an editor',
  name: 'What replies call it',
  note: 'Why this version was made',
  author: 'Who made it',
  version: 'As answered; not read',
  active: 'As answered; not read',
  activeVersion: 'As answered; not read',
  updatedAt: 'As answered; not read',
  updatedBy: 'As answered; not read',
  strength: '0: the same order for everyone; 100: the whole of what is known of a shopper',
  maxBoost: 'The most that behaviour multiplies a score by',
  maxQuality: 'Popularity multiplies a score by this at most, and by its inverse at least',
  maxShare: 'At most this share of the first 24 products is of one brand; null: no limit',
  about: 'The thing asked for before its accessories',
  'about.step': 'What a product keeps for each step that it is behind what was asked for; 1: off',
  fields: 'What a match in each field weighs',
  'fields.*': 'What a match in this field weighs; 0: the field is not searched',
  text: 'How the length of a text counts (BM25)',
  'text.k1': 'How strongly it counts',
  'text.b': 'By field: 0, not at all; 1, in full',
  'text.b.*': '0: the length of this field is of no account; 1: it counts in full',
  signals: 'What speaks for a product whoever asks; a signal that is left out is off',
  'signals.trend': 'People who bought it for the first time, lately and over longer terms',
  'signals.trend.short': 'Half-life of the short memory',
  'signals.trend.middle': 'Half-life of the memory between the two',
  'signals.trend.long': 'Half-life of the long memory',
  'signals.trend.prior': "So many buyers' worth of trust in the longer memory",
  'signals.trend.exponent': 'The factor is popularity to this power; 0: off',
  'signals.rating': 'Average rating; few ratings say little',
  'signals.freshness': 'How new it is',
  'signals.freshness.halfLife': 'Age at which half of the gain is left',
  'signals.availability': 'Whether it can be bought',
  'signals.availability.unavailable': 'The factor of a product that can not be bought',
  'signals.discount': 'Share of the old price that was taken off',
  'signals.*.weight': 'What the signal adds at most',
  affinities: "What each kind of a shopper's tastes adds",
  'affinities.*': 'A taste of this kind',
  'affinities.*.importance': 'What the affinity is multiplied by; 0: off',
  'affinities.*.curve': "saturate: x/(x+k); ln: ln(1+x); lift: over the store's own share, shrunk by k",
  'affinities.*.k': 'Of the curve: the evidence at which it says half, or is trusted by half',
  shrink: 'How little is known of a shopper: n/(n+k), n being a bought item',
  'shrink.k': 'The evidence at which tastes count by half',
  'shrink.except': 'Kinds that count in full from the first event',
  interest: 'What category pages and searches say at once of categories and brands',
  'interest.weight': 'Times the importance of categories and brands; 0: off',
  'interest.k': 'The evidence at which it counts by half; a category page is 0.06',
  evidence: 'What an event is worth, a bought item being 1',
  'evidence.*': 'What an event of this kind is worth',
  contexts: 'What differs in some searches; the first context that applies decides',
  'contexts.name': 'Replies call its template <name of the template>/<name of the context>',
  'contexts.when': 'All that is given has to hold; of a list, any of its values',
  'contexts.when.queries': 'The whole query, accents and case apart; "*" stands for any text',
  'contexts.when.categories': 'The search is kept to these categories, or to some below: paths such as "shoes/running"',
  'contexts.when.sources': "The request's `source`, such as mobile",
};

const wildcards = Object.keys(descriptions).filter((path) => path.includes('*'));

function descriptionOf(path: readonly string[]): string | undefined {
  const whole = path.join('.');
  const fits = (wildcard: string): boolean => {
    const parts = wildcard.split('.');
    return parts.length === path.length && parts.every((part, index) => part === '*' || part === path[index]);
  };
  const found = descriptions[whole] ?? descriptions[wildcards.find(fits) ?? ''];
  return found ?? (path[0] === 'contexts' && path.length > 1 ? descriptionOf(path.slice(1)) : undefined);
}

function describe(schema: Schema, path: readonly string[]): void {
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const description = descriptionOf([...path, name]);
    if (description !== undefined) part['description'] = description;
    describe(part, [...path, name]);
  }
  if (schema.items) describe(schema.items, path);
  for (const variant of schema.anyOf ?? []) describe(variant, path);
}

/** JSON Schema (draft 7, which editors read) of a template as it is sent. */
export function templateJsonSchema(): object {
  const schema = z.toJSONSchema(templateBodySchema, { io: 'input', target: 'draft-7' }) as Schema;
  describe(schema, []);
  return { title: 'Boost template', ...schema };
}
