import { z } from 'zod';
import { single } from '../../http/fields';
import { integer, MOST_PER_PAGE, searchParameters } from '../search-parameters';

/** Queries and products that are answered where nobody says how many. */
const USUAL_RESULTS = 5;

const { terms, salesChannel, showOnlyAvailable, productFormat, userId, deviceId, source, personalize, explain } =
  searchParameters.shape;
const { ranking, p, topsearch, origin } = searchParameters.shape;

const results = (of: string) =>
  single(integer(0, MOST_PER_PAGE).optional())
    .transform((value) => value ?? USUAL_RESULTS)
    .meta({
      description: `${of} of the reply, from 0 to ${MOST_PER_PAGE}; ${USUAL_RESULTS} where absent.`,
      example: 3,
    });

/** Parameters that are those of the search which a link of the reply leads to. */
const shared = { salesChannel, showOnlyAvailable, userId, deviceId, source, personalize, explain, productFormat };
const ofLinks = { ranking, p, topsearch, origin };

/** Parameters of `autocompletes` (contract 4.8), names already canonical. */
export const autocompleteParameters = z.object({
  prefix: terms.meta({
    description:
      'What was typed so far: its last word is completed. Absent: popular queries, and what fits the shopper.',
    example: 'noteb',
  }),
  terms: terms.meta({ description: 'The same as prefix, as some clients call it.', example: 'noteb' }),
  resultsQueries: results('Queries'),
  resultsProducts: results('Products'),
  ...shared,
  ...ofLinks,
});
export type AutocompleteParameters = z.output<typeof autocompleteParameters>;

/** Of `autocompletes/products`. */
export const autocompleteProductsParameters = z
  .object({
    terms: terms.meta({ description: 'The query whose products are shown; or categoryId.', example: 'notebook' }),
    categoryId: single(z.string().min(1).max(256).optional()).meta({
      description: 'The categoryId that an offered query came with; or terms.',
      example: 'info-12',
    }),
    resultsProducts: results('Products'),
    ...shared,
    ...ofLinks,
  })
  .superRefine(({ terms: typed, categoryId }, context) => {
    if (typed !== undefined || categoryId !== undefined) return;
    context.addIssue({ code: 'custom', path: ['terms'], message: 'is required (or categoryId)' });
  });
export type AutocompleteProductsParameters = z.output<typeof autocompleteProductsParameters>;
