import { z } from 'zod';
import { idField, timeField } from '../../http/fields';
import { normalise, normaliseWhole } from '../../engine/analysis/normalise';
import { sortNames } from '../../engine/plan/sorts';

/** The documents a merchandiser keeps for a store (contract 8), as they are sent and shown. */

const MOST_ENTRIES = 2000;
const MOST_RULES = 1000;
const MOST_HOTSITES = 500;
const MOST_TERMS = 50;
/** In a group of synonyms. */
const MOST_SYNONYMS = 20;
const MOST_RULE_PRODUCTS = 100;
const MOST_HOTSITE_PRODUCTS = 1000;
const MOST_FILTERS = 50;
const MOST_TEXT = 2000;

/** The furthest place a product can be pinned to: beyond it nobody looks. */
export const LAST_POSITION = 1000;
/** A boost multiplies the score by up to so much, and burying divides it by up to a hundred. */
const MOST_FACTOR = 10;
const LEAST_FACTOR = 0.01;

const listOf = <T extends z.ZodType>(item: T, most: number) => z.array(item).max(most, `At most ${most} are accepted`);

/** What is compared with a query: something of it must be left when signs and spaces are gone. */
const words = z
  .string()
  .max(256, 'At most 256 characters are accepted')
  .refine((text) => normaliseWhole(text) !== '', 'A text with a letter or a digit is required');

const hasControl = /\p{C}/u;
/** A page of the store, or any web page. Nothing that a browser would run. */
const link = z
  .string()
  .max(2048, 'At most 2048 characters are accepted')
  .refine(
    (text) => !hasControl.test(text) && (/^\/(?![/\\])/.test(text) || /^https?:\/\/[^/\\]/i.test(text)),
    'A link is an http or https URL, or a path that begins with one slash',
  );

const id = idField;
const name = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .refine((text) => !hasControl.test(text) && !/[/?#]/.test(text), 'A name without any of / ? # is required');

/** When and where a rule or a banner acts: absent ones don't narrow it. */
const scope = {
  query: words.optional(),
  /** An id, a name, or a path: `shoes/running`. */
  category: z.string().trim().min(1).max(1024).optional(),
  hotsite: name.optional(),
  /** From this time on, and until this one. */
  from: timeField.optional(),
  to: timeField.optional(),
};

interface Scoped {
  from?: string | undefined;
  to?: string | undefined;
}

function inOrder({ from, to }: Scoped, context: z.RefinementCtx): void {
  if (from !== undefined && to !== undefined && from >= to) {
    context.addIssue({ code: 'custom', path: ['to'], message: 'It has to be later than from' });
  }
}

/** Each entry is named by one thing; `path`: where in the entry. */
function once<T>(path: string, keyOf: (entry: T) => string) {
  return (entries: T[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    entries.forEach((entry, index) => {
      const key = keyOf(entry);
      if (seen.has(key)) {
        context.addIssue({ code: 'custom', path: [index, path], message: `There is another one with this ${path}` });
      }
      seen.add(key);
    });
  };
}

const synonym = z.union(
  [
    z.strictObject({ terms: listOf(words, MOST_SYNONYMS).min(2, 'At least two terms are required') }),
    z.strictObject({ from: words, to: listOf(words, MOST_SYNONYMS).min(1, 'At least one term is required') }),
  ],
  'Synonyms are { terms: [...] }, which all stand for each other, or { from, to: [...] }',
);

const redirect = z.strictObject({ terms: listOf(words, MOST_TERMS).min(1, 'At least one term is required'), link });

export const RULE_TYPES = ['pin', 'hide', 'boost', 'bury'] as const;

const rule = z
  .strictObject({
    id,
    enabled: z.boolean().default(true),
    ...scope,
    type: z.enum(RULE_TYPES, { error: `The type is one of ${RULE_TYPES.join(', ')}` }),
    products: listOf(id, MOST_RULE_PRODUCTS).min(1, 'At least one product is required'),
    /** Of a pin: the place of the first of its products, from 1; the others follow it. */
    position: z.int().min(1).max(LAST_POSITION).optional(),
    /** Of a boost (2) or of burying (0.5). */
    factor: z.number().optional(),
  })
  .superRefine((sent, context) => {
    inOrder(sent, context);
    const { type, position, factor: times } = sent;
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (position !== undefined && type !== 'pin') refuse('position', 'Only a pin has a position');
    if (times === undefined) return;
    if (type === 'boost' && !(times >= 1 && times <= MOST_FACTOR)) {
      refuse('factor', `A boost multiplies by 1 to ${MOST_FACTOR}`);
    }
    if (type === 'bury' && !(times >= LEAST_FACTOR && times <= 1)) {
      refuse('factor', `Burying multiplies by ${LEAST_FACTOR} to 1`);
    }
    if (type === 'pin' || type === 'hide') refuse('factor', 'Only a boost and burying have a factor');
  });

const hotsite = z
  .strictObject({
    name,
    title: z.string().max(MOST_TEXT),
    description: z.string().max(MOST_TEXT).default(''),
    /** The order in which it is shown, unless the shopper chooses another. */
    sortRule: z.enum(sortNames, { error: `The order is one of ${sortNames.join(', ')}` }).optional(),
    products: listOf(id, MOST_HOTSITE_PRODUCTS).optional(),
    /** As a search takes it: `brand:Acme`, `price:50..100`. */
    filter: listOf(z.string().min(1).max(1024), MOST_FILTERS).optional(),
  })
  .superRefine(({ products = [], filter = [] }, context) => {
    if (products.length > 0 !== filter.length > 0) return;
    const message = 'Name products by their ids, or else by a filter such as brand:Acme';
    context.addIssue({ code: 'custom', path: ['products'], message });
  });

const banner = z
  .strictObject({ id, ...scope, image: link, link, title: z.string().max(MOST_TEXT).optional() })
  .superRefine(inOrder);

/** What `GET` shows beside the list; a `PUT` may send it back, and it says nothing there. */
const asShown = z.unknown().optional().meta({ description: 'As GET shows it; says nothing here' });
const shown = { version: asShown, updatedAt: asShown };

/** The body of a `PUT`, by what it is about. */
export const merchandisingBodies = {
  synonyms: z.strictObject({ synonyms: listOf(synonym, MOST_ENTRIES), ...shown }),
  redirects: z.strictObject({ redirects: listOf(redirect, MOST_ENTRIES), ...shown }),
  rules: z.strictObject({ rules: listOf(rule, MOST_RULES).superRefine(once('id', (one) => one.id)), ...shown }),
  hotsites: z.strictObject({
    hotsites: listOf(hotsite, MOST_HOTSITES).superRefine(once('name', (one) => hotsiteKey(one.name))),
    ...shown,
  }),
  banners: z.strictObject({ banners: listOf(banner, MOST_RULES).superRefine(once('id', (one) => one.id)), ...shown }),
};

export type MerchandisingKind = keyof typeof merchandisingBodies;
export const merchandisingKinds = Object.keys(merchandisingBodies) as MerchandisingKind[];

type Entry<K extends MerchandisingKind> =
  z.output<(typeof merchandisingBodies)[K]> extends Readonly<Record<K, (infer E)[]>> ? E : never;
export type Synonym = Entry<'synonyms'>;
export type Redirect = Entry<'redirects'>;
export type Rule = Entry<'rules'>;
export type Hotsite = Entry<'hotsites'>;
export type Banner = Entry<'banners'>;

/** Names of hotsites stand in addresses, where casing and accents are lost, and which each browser composes in its own way. */
export const hotsiteKey = (text: string): string => normalise(text.trim());

/** What `GET` and `PUT` answer. `version`: 0 where nothing was written yet. */
export const merchandisingViews = {
  synonyms: viewOf('synonyms', synonym),
  redirects: viewOf('redirects', redirect),
  rules: viewOf('rules', rule),
  hotsites: viewOf('hotsites', hotsite),
  banners: viewOf('banners', banner),
};

function viewOf(kind: MerchandisingKind, entry: z.ZodType) {
  return z.object({
    [kind]: z.array(entry),
    version: z.int().min(0),
    updatedAt: z.iso.datetime().nullable(),
  });
}

export type MerchandisingView = Record<string, unknown> & { version: number; updatedAt: string | null };
