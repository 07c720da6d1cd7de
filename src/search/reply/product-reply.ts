import type { Product } from '../../catalog/product/product';
import type { ProductFormat } from '../search-parameters';
import { selectedSku, type SkuWishes } from './selected-sku';
import { skuReply } from './sku-reply';

export interface ProductReplyRequest extends SkuWishes {
  format: ProductFormat;
  clickUrl: string;
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
