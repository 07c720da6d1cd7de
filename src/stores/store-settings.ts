import { z } from 'zod';
import { isAddressRange } from '../config/settings';
import { isHost } from '../outbound/hosts';
import { durationMs } from '../ranking/template/duration';
import type { HalfLives } from '../ranking/vectors/vector';

function accepts(check: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      return check(text) !== false;
    } catch {
      return false;
    }
  };
}

const languageTag = z
  .string()
  .min(2)
  .max(64)
  .refine(
    accepts((tag) => Intl.getCanonicalLocales(tag)),
    'A BCP 47 language tag is required, such as pt-BR',
  );

const currency = z
  .string()
  .toUpperCase()
  .refine(
    (code) => Intl.supportedValuesOf('currency').includes(code),
    'An ISO 4217 currency code is required, such as BRL',
  );

const timeZone = z.string().refine(
  accepts((zone) => new Intl.DateTimeFormat('en', { timeZone: zone })),
  'An IANA time zone is required, such as America/Sao_Paulo',
);

const halfLife = z
  .string()
  .refine(
    (text) => /^\d{1,5}(\.\d{1,3})?d$/.test(text) && Number(text.slice(0, -1)) >= 1,
    'A number of days is required, at least 1d, such as 30d',
  );

const text = z.string().min(1).max(256);
const days = z.int().min(1).max(36_500);
const perMinute = z.int().min(1);

/** A facet of a search, in the order of the list. What `spec.<name>` means is known to src/engine/facets.ts. */
const facetSetting = z.strictObject({
  attribute: z
    .string()
    .max(128)
    .regex(
      /^(?:category|brand|price|tag|availability|discount|(?:spec|detail)\..*[\p{L}\p{N}].*)$/su,
      'One of category, brand, price, tag, availability, discount, spec.<name>, detail.<name> is required',
    ),
  /** Stands where replies have the attribute. */
  label: text.optional(),
  /** So many of the most frequent ones are shown. */
  values: z.int().min(1).max(100).optional(),
  order: z.enum(['count', 'label']).optional(),
});
export type FacetSetting = z.output<typeof facetSetting>;
const MOST_FACETS = 50;

const halfLives = { transaction: halfLife, cart: halfLife, view: halfLife };

/** The settings of a store, as they are kept and shown. One with a default is always there, an optional one only where the store sent it. */
export const storeSettings = z.object({
  /** Its primary subtag picks the text analysis. */
  language: languageTag.default('pt-BR'),
  locale: languageTag.default('pt-BR'),
  currency: currency.default('BRL'),
  timeZone: timeZone.default('America/Sao_Paulo'),
  homeUrl: z
    .url({ protocol: /^https?$/, error: 'An http or https URL is required' })
    .max(2048)
    .nullable()
    .default(null),
  defaultSalesChannel: text.default('default'),
  showOnlyAvailable: z.boolean().default(false),
  attributionDays: z.int().min(1).max(365).default(7),
  halfLife: z.object(halfLives).default({ transaction: '180d', cart: '30d', view: '14d' }),
  sensitiveCategories: z.array(text).max(1000).default([]),
  requireReplay: z.boolean().default(false),
  /** Words and phrases that are never offered to other shoppers. */
  blockedTerms: z.array(text).max(1000).default([]),
  /** Whether the synonyms that come with the language act beside the store's own. */
  starterSynonyms: z.boolean().default(true),
  /** Hosts of private networks that feeds and webhooks may be on; any other has to be on the internet. */
  feedHosts: z
    .array(
      text
        .toLowerCase()
        .refine(isHost, 'A host is required, without scheme and port, such as feeds.internal or 10.0.0.5'),
    )
    .max(100)
    .default([]),
  /** Absent: those that divide the result. */
  facets: z.array(facetSetting).max(MOST_FACETS).optional(),
  retention: z.strictObject({ eventsDays: days, searchesDays: days, clicksDays: days }).partial().optional(),
  searchLog: z
    .strictObject({
      /** What is logged of all shoppers' searches; absent: all of them. */
      sample: z.number().min(0).max(1),
      /** At most so many searches are logged in a day; absent: 200,000. */
      perDay: z.int().min(100).max(1_000_000_000),
    })
    .partial()
    .optional(),
  /** Requests a minute: by address for browsers (method A), for the whole store for backends (method B; absent: no limit). */
  limits: z.strictObject({ originPerMinute: perMinute, keysPerMinute: perMinute }).partial().optional(),
  showcase: z
    .strictObject({
      /** Most of a widget that may be of one brand; 1: any. */
      brandShare: z.number().gt(0).max(1),
      /** How long a link counts. */
      linkHours: z.number().min(0.01).max(8784),
      /** Clicks a minute from one address that count; from a shared one, by one user. */
      clicksPerMinute: perMinute,
      /** Shoppers whose clicks from one address count in an hour. */
      usersPerHour: z.int().min(1),
      /** The most of a campaign's billed clicks in an hour that may come from one address. */
      addressShare: z.number().gt(0).max(1),
      /** So many may in any case. */
      addressClicks: z.int().min(1),
      /** Addresses behind which many shoppers are, such as those of carriers and proxies; CIDRs too. */
      sharedAddresses: z
        .array(z.string().max(64).refine(isAddressRange, 'An address or a CIDR is required, such as 203.0.113.0/24'))
        .max(1000),
      /** Whether the clicks that are found invalid later are credited. */
      creditInvalid: z.boolean(),
    })
    .partial()
    .optional(),
});
export type StoreSettings = z.output<typeof storeSettings>;

export const defaultSettings: StoreSettings = storeSettings.parse({});

/** The settings a store may send: those to change, and null for an optional one to remove. Unknown ones are refused. */
export const settingsSchema = z
  .strictObject({ ...sendable(storeSettings.shape), halfLife: z.strictObject(halfLives).partial() })
  .partial();
export type SettingsPatch = z.output<typeof settingsSchema>;

type Declared = Record<string, z.ZodDefault | z.ZodOptional<z.ZodType>>;
type Sendable<T> =
  T extends z.ZodDefault<infer U> ? U : T extends z.ZodOptional<infer U extends z.ZodType> ? z.ZodNullable<U> : never;

function sendable<S extends Declared>(shape: S): { [K in keyof S]: Sendable<S[K]> } {
  const settings = Object.entries(shape).map(([name, setting]) => [
    name,
    setting instanceof z.ZodDefault ? setting.unwrap() : setting.unwrap().nullable(),
  ]);
  return Object.fromEntries(settings) as { [K in keyof S]: Sendable<S[K]> };
}

/** Merges setting by setting, and part by part within a setting that is an object. Null removes an optional one. */
export function mergeSettings(settings: StoreSettings, patch: SettingsPatch): StoreSettings {
  const declared: Declared = storeSettings.shape;
  const merged: Record<string, unknown> = { ...settings };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null && declared[name] instanceof z.ZodOptional) delete merged[name];
    else if (declared[name]?.unwrap() instanceof z.ZodObject) merged[name] = Object.assign({}, merged[name], value);
    else merged[name] = value;
  }
  return merged as StoreSettings;
}

/** A store that says its language alone writes its numbers and dates that way too. */
export function initialSettings(patch: SettingsPatch): StoreSettings {
  const locale = patch.locale ?? patch.language ?? defaultSettings.locale;
  return mergeSettings(defaultSettings, { ...patch, locale });
}

export function halfLivesOf({ halfLife: { transaction, cart, view } }: StoreSettings): HalfLives {
  return { transaction: durationMs(transaction), cart: durationMs(cart), view: durationMs(view) };
}
