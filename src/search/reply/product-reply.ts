import type { Product, Sku } from '../../catalog/product/product';
import { familyKey } from '../../engine/facets';
import { plainWords } from '../../ranking/vectors/features';
import type { FacetSelection } from '../facets/parse-filters';
import type { ProductFormat } from '../search-parameters';

export interface ProductReplyRequest {
  format: ProductFormat;
  clickUrl: string;
  /** Normalised words of the query: with the filters they say which SKU fits best. */
  words: readonly string[];
  selections: readonly FacetSelection[];
}

/** A product as contract 4.4 shapes it. */
export function productReply(product: Product, request: ProductReplyRequest): Record<string, unknown> {
  const { format, clickUrl } = request;
  if (format === 'onlyIds') return { id: product.id, clickUrl };
  const compact = {
    id: product.id,
    name: product.name,
    price: product.price,
    ...(product.oldPrice === null ? {} : { oldPrice: product.oldPrice }),
    url: product.url,
    images: product.images,
    installment: product.installment ?? { count: 1, price: product.price },
    status: product.available ? 'AVAILABLE' : 'UNAVAILABLE',
    brand: product.brand,
    clickUrl,
  };
  if (format === 'compact') return compact;
  const selected = selectedSku(product, request);
  return {
    ...compact,
    collectInfo: { productId: product.id, skuList: product.skus.map(({ sku }) => sku) },
    categories: product.categories,
    tags: product.tags,
    specs: product.specs,
    details: { ...product.details, ...product.structuredDetails },
    created: new Date(product.created).toISOString(),
    description: product.description,
    ...(selected ? { selectedSku: selected.sku } : {}),
    skus: product.skus.map((sku) => skuReply(sku, product)),
    ...(product.customBusiness === undefined ? {} : { customBusiness: product.customBusiness }),
  };
}

function skuReply(sku: Sku, product: Product): object {
  const price = sku.price ?? product.price;
  const { oldPrice, installment } = priceTerms(sku, product, price);
  return {
    sku: sku.sku,
    specs: sku.specs,
    properties: {
      name: sku.name ?? product.name,
      url: sku.url ?? product.url,
      images: sku.images ?? product.images,
      status: sku.available ? 'available' : 'unavailable',
      price,
      ...(oldPrice === null ? {} : { oldPrice }),
      installment,
      stock: Math.trunc(sku.stock ?? 0),
      ...(sku.eanCode === null ? {} : { eanCode: sku.eanCode }),
      details: { ...sku.details, ...sku.structuredDetails },
    },
    ...(sku.customBusiness === undefined ? {} : { customBusiness: sku.customBusiness }),
  };
}

/** What a SKU says of its price, else what its product says, as far as that fits the SKU's own price. */
function priceTerms(sku: Sku, product: Product, price: number): Pick<Product, 'oldPrice' | 'installment'> {
  const once = { count: 1, price };
  const isOwn = price !== product.price;
  const { oldPrice } = product;
  const above = oldPrice !== null && oldPrice > price ? oldPrice : null;
  return {
    oldPrice: sku.oldPrice ?? (isOwn ? above : oldPrice),
    installment: sku.installment ?? (isOwn ? once : (product.installment ?? once)),
  };
}

/** The SKU that matches most query words and filters, else the first available, else the cheapest. */
function selectedSku(product: Product, { words, selections }: ProductReplyRequest): Sku | undefined {
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
