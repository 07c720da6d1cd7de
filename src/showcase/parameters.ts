import { z } from 'zod';
import { isId } from '../shared/ids';
import { PLACEMENTS } from './campaigns/campaign';
import { PRODUCT_TYPES, type WidgetRequest } from './selection/pick';

const WIDGET_TYPES = ['native', 'banner', 'text'] as const;
const MOST_ITEMS = 100;
const MOST_WIDGETS = 10;
const USUAL_WIDGET = 'native,24_all';

const WIDGET = new RegExp(`^(?:${WIDGET_TYPES.join('|')}),(\\d{1,3})_(${PRODUCT_TYPES.join('|')})$`);
const widgetMessage =
  `a widget is <type>,<max>_<productType>, such as ${USUAL_WIDGET}: type ${WIDGET_TYPES.join(', ')}; ` +
  `max 1 to ${MOST_ITEMS}; productType ${PRODUCT_TYPES.join(', ')}`;

function readWidget(text: string): WidgetRequest | null {
  const found = WIDGET.exec(text.trim());
  const most = Number(found?.[1]);
  const productType = PRODUCT_TYPES.find((type) => type === found?.[2]);
  return productType && most >= 1 && most <= MOST_ITEMS ? { text: text.trim(), most, productType } : null;
}

const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const list = (value: unknown): unknown => (value === undefined || Array.isArray(value) ? value : [value]);
const one = <T extends z.ZodType>(schema: T) => z.preprocess(single, schema);

/** Longer or otherwise odd ids of shoppers count as absent (contract 3). */
const shopperId = z.preprocess((value) => (isId(single(value)) ? single(value) : undefined), z.string().optional());

/** Several widgets: repeated, or one text with `|` or `;` between. */
const widgets = z.preprocess(
  list,
  z
    .array(z.string())
    .default([USUAL_WIDGET])
    .transform((texts) => texts.flatMap((text) => text.split(/[|;]/)))
    .pipe(z.array(z.string().refine((text) => readWidget(text) !== null, widgetMessage)).max(MOST_WIDGETS)),
);

/** Parameters of a showcase (contract section 7), names already canonical. */
export const showcaseParameters = z
  .object({
    placement: one(z.enum(PLACEMENTS, { error: `must be one of: ${PLACEMENTS.join(', ')}` })),
    widgets,
    categories: z.preprocess(list, z.array(z.string().max(1024)).max(20).optional()),
    id: one(z.string().max(256).optional()),
    search: one(z.string().max(512, 'may have up to 512 characters').optional()),
    userId: shopperId,
    deviceId: shopperId,
    salesChannel: one(z.string().max(256).optional()),
  })
  .superRefine(({ placement, categories, id, search }, context) => {
    const missing = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (placement === 'category' && !categories?.length)
      missing('categories', 'is due where the placement is category');
    if (placement === 'product' && id === undefined) missing('id', 'is due where the placement is product');
    if (placement === 'search' && search === undefined) missing('search', 'is due where the placement is search');
  });

export type ShowcaseParameters = z.infer<typeof showcaseParameters>;

/** They were valid. */
export function widgetsOf({ widgets: texts }: ShowcaseParameters): WidgetRequest[] {
  return texts.flatMap((text) => readWidget(text) ?? []);
}
