import type { Product, Sku } from '../../catalog/product/product';

/** A SKU as contract 4.4 shapes it. */
export function skuReply(sku: Sku, product: Product): object {
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
