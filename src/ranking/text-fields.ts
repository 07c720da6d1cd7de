/** The fields of a product that a query is matched in. */
export const textFields = ['name', 'brand', 'categories', 'tags', 'skus', 'description'] as const;
export type TextField = (typeof textFields)[number];
