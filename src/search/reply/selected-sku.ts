import type { Product, Sku } from '../../catalog/product/product';
import { familyKey } from '../../engine/facets';
import { plainWords } from '../../ranking/vectors/features';
import type { FacetSelection } from '../facets/parse-filters';

/** What says which SKU of a product fits a search best. */
export interface SkuWishes {
  /** Normalised words of the query. */
  words: readonly string[];
  selections: readonly FacetSelection[];
}

/** The SKU that matches most query words and filters, else the first available, else the cheapest. */
export function selectedSku(product: Product, { words, selections }: SkuWishes): Sku | undefined {
  let best: Sku | undefined;
  let most = 0;
  for (const sku of product.skus) {
    const said = [...Object.values(sku.specs), ...Object.values(sku.details)].flat();
    const text = [sku.sku, sku.name, sku.eanCode, ...said];
    const own = new Set(plainWords(text.join(' ')));
    const matches = words.filter((word) => own.has(word)).length + filtersMet(sku, selections);
    if (matches > most) [best, most] = [sku, matches];
  }
  const cheapest = (a: Sku, b: Sku) => ((b.price ?? product.price) < (a.price ?? product.price) ? b : a);
  return (
    best ?? product.skus.find(({ available }) => available) ?? product.skus.reduce(cheapest, product.skus[0] as Sku)
  );
}

/** Selected values of specs and details that a SKU has. */
function filtersMet({ specs, details }: Sku, selections: readonly FacetSelection[]): number {
  const keysOf = (family: 'spec' | 'detail', byName: Sku['specs']): string[] =>
    Object.entries(byName).flatMap(([name, labels]) => labels.map((label) => `${family}.${familyKey(name, label)}`));
  const named = selections.flatMap((one) => ('key' in one && one.kind.includes('.') ? `${one.kind}\n${one.key}` : []));
  if (named.length === 0) return 0;
  const own = new Set([...keysOf('spec', specs), ...keysOf('detail', details)]);
  return named.filter((key) => own.has(key)).length;
}
