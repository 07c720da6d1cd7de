/**
 * The fields of a product that a query is matched in, with the defaults of templates: what a match weighs, and how much the field's
 * length counts (0 not at all, 1 wholly; short fields say little by their length). Flat on purpose: within a tier every hit has all the
 * words, and in which good field says little (on grocery data 3 : 2.5 for name and categories cost 0.005 nDCG, 10 : 4 cost 0.04). Only
 * the description, where words stray, stands well behind.
 */
export const textFieldDefaults = {
  name: { weight: 3, b: 0.05 },
  brand: { weight: 3, b: 0 },
  categories: { weight: 3, b: 0 },
  tags: { weight: 2.5, b: 0 },
  skus: { weight: 3, b: 0 },
  description: { weight: 1, b: 0.3 },
};
export type TextField = keyof typeof textFieldDefaults;
export const textFields = Object.keys(textFieldDefaults) as readonly TextField[];
