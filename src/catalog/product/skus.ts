import type { Product, Sent, Sku } from './product';
import { listOf, numberOf, objectOf, objectsOf, textOf, textsByName } from './sent-values';

type Installment = NonNullable<Product['installment']>;

/** What SKUs take over where they don't say it themselves. */
export interface SkuContext {
  productId: string;
  available: boolean;
  stock: number | null;
  eanCode: string | null;
}

export function installmentOf(sent: unknown): Installment | null {
  const count = numberOf(objectOf(sent)?.['count']);
  const price = numberOf(objectOf(sent)?.['price']);
  return count === null || price === null ? null : { count, price };
}

/** `{ material: "couro", sizes: [38, 39] }` -> lists of texts by name. */
export function detailsOf(sent: unknown): Record<string, string[]> {
  const entries = Object.entries(objectOf(sent) ?? {}).map(([name, value]): [string, string[]] => [
    name,
    listOf(value).flatMap((item) => textOf(item) ?? textOf(objectOf(item)?.['label']) ?? []),
  ]);
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

/** A spec of a SKU is one value: a text, or `{ id, label }`, alone or first in a list. */
function specLabel(sent: unknown): string | null {
  const first = listOf(sent)[0];
  const object = objectOf(first);
  return object ? (textOf(object['label']) ?? textOf(object['id'])) : textOf(first);
}

function specsOf(sent: unknown): Record<string, string> {
  const entries = Object.entries(objectOf(sent) ?? {}).flatMap(([name, value]): [string, string][] => {
    const label = specLabel(value);
    return label === null ? [] : [[name, label]];
  });
  return Object.fromEntries(entries);
}

/** The SKUs of a product: the ones sent, else the product itself as its only one. */
export function skusOf(sent: Sent, context: SkuContext): Sku[] {
  const skus = objectsOf(sent['skus']).flatMap((sku) => {
    const id = textOf(sku['sku']);
    return id === null ? [] : [skuOf(id, sku, context)];
  });
  return skus.length > 0 ? skus : [productAsSku(sent, context)];
}

function skuOf(id: string, sku: Sent, context: SkuContext): Sku {
  // Properties belong under `properties`; many feeds write them beside `sku`.
  const properties = objectOf(sku['properties']) ?? {};
  const said = (name: string): unknown => properties[name] ?? sku[name];
  const own = textOf(said('status'))?.toLowerCase();
  const stock = numberOf(said('stock'));
  const inStock = own === undefined ? stock === null || stock > 0 : own === 'available';
  const business = said('customBusiness');
  return {
    sku: id,
    available: context.available && inStock,
    price: numberOf(said('price')),
    oldPrice: numberOf(said('oldPrice')),
    stock: stock ?? context.stock,
    eanCode: textOf(said('eanCode')),
    name: textOf(said('name')),
    url: textOf(said('url')),
    images: textsByName(said('images')),
    installment: installmentOf(said('installment')),
    specs: specsOf(said('specs')),
    details: detailsOf(said('details')),
    ...(business === undefined ? {} : { customBusiness: business }),
  };
}

function productAsSku(sent: Sent, { productId, available, stock, eanCode }: SkuContext): Sku {
  return {
    sku: productId,
    available,
    price: null,
    oldPrice: null,
    stock,
    eanCode,
    name: null,
    url: null,
    images: null,
    installment: null,
    specs: specsOf(sent['specs']),
    details: detailsOf(sent['details']),
  };
}
