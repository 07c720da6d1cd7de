import { z } from 'zod';
import { listOf, single } from '../../http/fields';
import { searchParameters } from '../search-parameters';

const MOST_LEVELS = 20;
const MOST_CATEGORIES = 50;
const MOST_FIELDS = 20;
const MOST_OF_NAME = 256;

const text = z.string().trim().min(1).max(1024);

const ONE_OF = 'one of category (a path, the top first), multicategory and fields (name:value) is required';

/** Parameters of a category page: those of a search without words, and one that names the list (contract 4.8). */
export const navigatesParameters = searchParameters
  .safeExtend({
    category: listOf(text, MOST_LEVELS).meta({
      description: 'A path, the top first, by the names or the ids of its levels; a leaf alone is found',
      example: ['Moda', 'Tênis'],
    }),
    multicategory: listOf(text, MOST_CATEGORIES).meta({
      description: 'Categories, of which a product is in any',
      example: ['11', 'Tênis'],
    }),
    fields: listOf(text, MOST_FIELDS).meta({
      description: 'Values that a product has, as name:value',
      example: ['brand:Acme'],
    }),
  })
  .superRefine(({ category, multicategory, fields }, context) => {
    const given = [category, multicategory, fields].filter((list) => list && list.length > 0).length;
    if (given === 0) context.addIssue({ code: 'custom', path: ['category'], message: ONE_OF });
    if (given > 1) context.addIssue({ code: 'custom', path: ['category'], message: `only ${ONE_OF}` });
    (fields ?? []).forEach((field, index) => {
      if (/^[^:]+:./.test(field)) return;
      context.addIssue({ code: 'custom', path: ['fields', index], message: 'is name:value, such as brand:Acme' });
    });
  });
export type NavigatesParameters = z.output<typeof navigatesParameters>;

const NAMED = 'is required: the name of a hotsite';
const hotsiteName = z.string(NAMED).trim().min(1, NAMED).max(MOST_OF_NAME, `may have up to ${MOST_OF_NAME} characters`);

/** Parameters of a hotsite: its name, and those of a search without words. */
export const hotsitesParameters = searchParameters.safeExtend({
  name: single(hotsiteName).meta({
    description: 'The name of a hotsite, whatever its casing and accents',
    example: 'verao',
  }),
});
export type HotsitesParameters = z.output<typeof hotsitesParameters>;
