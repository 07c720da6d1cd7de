import { z } from 'zod';
import type { StoreSettings } from './store';

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
    'A BCP 47 language tag is due, such as pt-BR',
  );

const days = z.int().min(1).max(36_500);

const halfLife = z
  .string()
  .refine(
    (text) => /^\d{1,5}(\.\d{1,3})?d$/.test(text) && Number(text.slice(0, -1)) >= 1,
    'A number of days is due, at least 1d, such as 30d',
  );

const text = z.string().min(1).max(256);

/** The settings a store may send; all optional, unknown ones refused. */
const settingsShape = {
  language: languageTag,
  locale: languageTag,
  currency: z
    .string()
    .transform((code) => code.toUpperCase())
    .refine(
      (code) => Intl.supportedValuesOf('currency').includes(code),
      'An ISO 4217 currency code is due, such as BRL',
    ),
  timeZone: z.string().refine(
    accepts((zone) => new Intl.DateTimeFormat('en', { timeZone: zone })),
    'An IANA time zone is due, such as America/Sao_Paulo',
  ),
  homeUrl: z
    .url({ protocol: /^https?$/, error: 'An http or https URL is due' })
    .max(2048)
    .nullable(),
  defaultSalesChannel: text,
  showOnlyAvailable: z.boolean(),
  attributionDays: z.int().min(1).max(365),
  halfLife: z.strictObject({ transaction: halfLife, cart: halfLife, view: halfLife }).partial(),
  sensitiveCategories: z.array(text).max(1000),
  requireReplay: z.boolean(),
  facets: z.json().nullable(),
  retention: z.strictObject({ eventsDays: days, searchesDays: days, clicksDays: days }).partial().nullable(),
  limits: z
    .strictObject({ originPerMinute: z.int().min(1), keysPerMinute: z.int().min(1) })
    .partial()
    .nullable(),
  showcase: z
    .strictObject({
      brandShare: z.number().gt(0).max(1),
      linkHours: z.number().min(0.01).max(8784),
      clicksPerMinute: z.int().min(1),
    })
    .partial()
    .nullable(),
};

export const settingsSchema = z.strictObject(settingsShape).partial();
export type SettingsPatch = z.infer<typeof settingsSchema>;

export const defaultSettings: StoreSettings = {
  language: 'pt-BR',
  locale: 'pt-BR',
  currency: 'BRL',
  timeZone: 'America/Sao_Paulo',
  homeUrl: null,
  defaultSalesChannel: 'default',
  showOnlyAvailable: false,
  attributionDays: 7,
  halfLife: { transaction: '180d', cart: '30d', view: '14d' },
  sensitiveCategories: [],
  requireReplay: false,
};

/** Key by key; inside `halfLife`, `retention`, `limits` and `showcase` too. Null takes an optional setting away. */
export function mergeSettings(settings: StoreSettings, patch: SettingsPatch): StoreSettings {
  const { halfLife: lives, facets, retention, limits, showcase, ...plain } = patch;
  const merged = { ...settings, ...plain, halfLife: { ...settings.halfLife, ...lives } } as StoreSettings;
  if (facets !== undefined) merged.facets = facets;
  if (retention) merged.retention = { ...settings.retention, ...retention } as NonNullable<StoreSettings['retention']>;
  if (limits) merged.limits = { ...settings.limits, ...limits } as NonNullable<StoreSettings['limits']>;
  if (showcase) merged.showcase = { ...settings.showcase, ...showcase } as NonNullable<StoreSettings['showcase']>;
  if (facets === null) delete merged.facets;
  if (retention === null) delete merged.retention;
  if (limits === null) delete merged.limits;
  if (showcase === null) delete merged.showcase;
  return merged;
}

/** A store that says its language alone writes its numbers and dates that way too. */
export function initialSettings(patch: SettingsPatch): StoreSettings {
  const locale = patch.locale ?? patch.language ?? defaultSettings.locale;
  return mergeSettings(defaultSettings, { ...patch, locale });
}
