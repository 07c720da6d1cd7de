import { z } from 'zod';
import type { JsonPart } from '../reply/json-part';
import { personalization, product, warnings } from '../reply/reply-schema';

/** What the autocompletes answer (contract 4.8), for the OpenAPI document. Lists are always there. */
export const autocompleteReply = z.object({
  requestId: z.string(),
  searchId: z.uuid(),
  /** Each with a link that searches it; `category` and `categoryId` where it is the name of one category. */
  queries: z.array(
    z.object({
      query: z.string(),
      link: z.string(),
      category: z.string().optional(),
      categoryId: z.string().optional(),
    }),
  ),
  products: z.array(product),
  personalization,
  warnings,
});
/** As it is made: its products are JSON already. */
export type AutocompleteReply = Omit<z.infer<typeof autocompleteReply>, 'products'> & { products: JsonPart[] };
