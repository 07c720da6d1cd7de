import { z } from 'zod';
import { asList, shopperId, single } from '../http/fields';
import { type Placement, PLACEMENTS } from './campaigns/campaign';
import { PRODUCT_TYPES, WIDGET_TYPES, type WidgetRequest } from './selection/pick';

const MOST_ITEMS = 100;
const MOST_WIDGETS = 10;
const USUAL_WIDGET = 'native,24_all';

const WIDGET = new RegExp(`^(${WIDGET_TYPES.join('|')}),(\\d{1,3})_(${PRODUCT_TYPES.join('|')})$`);
const widgetMessage =
  `a widget is <type>,<max>_<productType>, such as ${USUAL_WIDGET}: type ${WIDGET_TYPES.join(', ')}; ` +
  `max 1 to ${MOST_ITEMS}; productType ${PRODUCT_TYPES.join(', ')}`;

function readWidget(text: string): WidgetRequest | null {
  const found = WIDGET.exec(text.trim());
  const type = WIDGET_TYPES.find((known) => known === found?.[1]);
  const most = Number(found?.[2]);
  const productType = PRODUCT_TYPES.find((known) => known === found?.[3]);
  return type && productType && most >= 1 && most <= MOST_ITEMS ? { type, most, productType } : null;
}

/** Several widgets: repeated, or one text with `|` or `;` between. */
const widgets = z.preprocess(
  asList,
  z
    .array(z.string())
    .default([USUAL_WIDGET])
    .transform((texts) => texts.flatMap((text) => text.split(/[|;]/)))
    .pipe(z.array(z.string().refine((text) => readWidget(text) !== null, widgetMessage)).max(MOST_WIDGETS)),
);

/** Parameters of a showcase (contract section 7), names already canonical. */
export const showcaseParameters = z
  .object({
    placement: single(z.enum(PLACEMENTS, { error: `must be one of: ${PLACEMENTS.join(', ')}` })).meta({
      description: 'The kind of page that shows it.',
      example: 'category',
    }),
    widgets: widgets.meta({
      description: `As <type>,<max>_<productType>: types ${WIDGET_TYPES.join(', ')}; productTypes ${PRODUCT_TYPES.join(', ')}. Several: repeated, or with | between.`,
      example: ['native,12_all'],
    }),
    categories: z
      .preprocess(asList, z.array(z.string().max(1024)).max(20).optional())
      .meta({ description: 'On category: names, the top first.', example: ['Moda', 'Tênis'] }),
    id: single(z.string().max(256).optional()).meta({
      description: 'On product: the one that is shown.',
      example: 'tenis-1',
    }),
    search: single(z.string().max(512, 'may have up to 512 characters').optional()).meta({
      description: 'On search: what the shopper typed.',
      example: 'tenis azul',
    }),
    userId: shopperId.meta({
      description: 'The user whom it is shown to, as the events name them.',
      example: 'u-1001',
    }),
    deviceId: shopperId.meta({ description: 'The device that shows it, as the events name it.', example: 'd-42' }),
    salesChannel: single(z.string().max(256).optional()).meta({
      description: 'Products as they are in that channel. Absent: the default channel of the store.',
      example: 'app',
    }),
    origin: single(z.string().max(256).optional()).catch(undefined).meta({
      description: 'Stands for an Origin header where none came.',
      example: 'https://www.store.example',
    }),
  })
  .superRefine(({ placement, categories, id, search }, context) => {
    const require = (path: string, ofPlacement: Placement, isThere: boolean): void => {
      if (placement !== ofPlacement || isThere) return;
      context.addIssue({ code: 'custom', path: [path], message: `is required where the placement is ${placement}` });
    };
    require('categories', 'category', Boolean(categories?.length));
    require('id', 'product', id !== undefined);
    require('search', 'search', search !== undefined);
  });

export type ShowcaseParameters = z.infer<typeof showcaseParameters>;

/** The texts were validated. */
export function widgetsOf({ widgets: texts }: ShowcaseParameters): WidgetRequest[] {
  return texts.flatMap((text) => readWidget(text) ?? []);
}
