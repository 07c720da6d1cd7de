import type { Product, Sent, Sku } from './product';
import { listOf, numberOf, objectOf, objectsOf, textOf, textsByName } from './sent-values';

/** What SKUs take over from the product where they don't say it themselves. */
type SkuContext = Pick<Product, 'id' | 'available' | 'stock' | 'eanCode'>;

export function installmentOf(sent: unknown): Product['installment'] {
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

/** Objects and lists with objects in them, as they were sent. */
export function structuredDetailsOf(sent: unknown): Pick<Sku, 'structuredDetails'> {
  const structured = Object.entries(objectOf(sent) ?? {}).filter(([, value]) => listOf(value).some(objectOf));
  return structured.length > 0 ? { structuredDetails: Object.fromEntries(structured) } : {};
}

/** The label of a value that was sent as a text or as `{ id, <name> }`. */
export function labelOf(sent: unknown, name: 'label' | 'name'): string | null {
  const object = objectOf(sent);
  return object ? (textOf(object[name]) ?? textOf(object['id'])) : textOf(sent);
}

/** A value of a spec of a SKU is a text, or `{ id, label }`, alone or in a list. */
function specsOf(sent: unknown): Record<string, string[]> {
  const labels = Object.entries(objectOf(sent) ?? {}).map(([name, value]): [string, string[]] => [
    name,
    listOf(value).flatMap((one) => labelOf(one, 'label') ?? []),
  ]);
  return Object.fromEntries(labels.filter(([, values]) => values.length > 0));
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
    ...structuredDetailsOf(said('details')),
    ...(business === undefined ? {} : { customBusiness: business }),
  };
}

function productAsSku({ specs, details }: Sent, context: SkuContext): Sku {
  return { ...skuOf(context.id, { specs, details }, context), eanCode: context.eanCode };
}
