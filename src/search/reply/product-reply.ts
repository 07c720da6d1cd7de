import type { Product } from '../../catalog/product/product';
import type { ProductFormat } from '../search-parameters';
import { skuReply } from './sku-reply';

export interface ProductReplyRequest {
  format: ProductFormat;
  clickUrl: string;
  /** Of a complete reply: the SKU that is chosen. */
  sku: string | undefined;
}

/** A product as contract 4.4 shapes it. */
export function productReply(product: Product, request: ProductReplyRequest): Record<string, unknown> {
  const { format, clickUrl, sku: selected } = request;
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
  return {
    ...compact,
    collectInfo: { productId: product.id, skuList: product.skus.map(({ sku }) => sku) },
    categories: product.categories,
    tags: product.tags,
    specs: product.specs,
    details: { ...product.details, ...product.structuredDetails },
    created: new Date(product.created).toISOString(),
    description: product.description,
    ...(selected === undefined ? {} : { selectedSku: selected }),
    skus: product.skus.map((sku) => skuReply(sku, product)),
    ...(product.customBusiness === undefined ? {} : { customBusiness: product.customBusiness }),
  };
}
