import { z } from 'zod';
import { asList, lowerCased } from '../../http/fields';
import { MOST_PER_PAGE } from '../search-parameters';

const id = z.string().min(1).max(256);
const lists = (most: number, longest: number) =>
  z.preprocess(asList, z.array(z.string().min(1).max(longest)).max(most).optional());

/** A search, and the product that is asked about. */
export const whyQuery = z
  .object({
    query: z.string().min(1).max(512).meta({ description: 'What is searched.', example: 'tenis azul' }),
    productId: id.meta({ description: 'The product that is asked about.', example: 'tenis-1' }),
    userId: id.optional().meta({ description: 'The user whose behaviour ranks.', example: 'u-1001' }),
    deviceId: id.optional().meta({ description: 'The device whose behaviour ranks.', example: 'd-42' }),
    filter: lists(100, 1024).meta({ description: 'Filters, as a search takes them.', example: ['brand:Veloz'] }),
    salesChannel: lists(20, 256).meta({ description: 'Sales channels, as a search takes them.', example: ['app'] }),
    source: id.optional().meta({ description: 'Where the shopper is, as a search says it.', example: 'mobile' }),
    showOnlyAvailable: z
      .preprocess(
        lowerCased,
        z
          .enum(['true', 'false'])
          .transform((value) => value === 'true')
          .optional(),
      )
      .meta({ description: 'Leaves unavailable products out. Absent: the setting of the store.', example: 'true' }),
    resultsPerPage: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_PER_PAGE)
      .optional()
      .meta({ description: 'Products of a page, by which pages are counted.', example: 24 }),
    template: z.string().min(1).max(64).optional().meta({
      description: 'A boost template that ranks as if it served; absent: the one that serves.',
      example: 'summer',
    }),
    version: z.coerce.number({ error: 'must be a whole number' }).int('must be a whole number').min(0).optional().meta({
      description: 'The version of it; absent: the newest.',
      example: 3,
    }),
  })
  .refine(({ template, version }) => template !== undefined || version === undefined, {
    path: ['version'],
    error: 'is of a template: name it in template',
  });
