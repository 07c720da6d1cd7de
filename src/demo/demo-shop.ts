import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { toProduct } from '../catalog/product/to-product';
import { ApiError } from '../shared/api-error';
import { StoresService } from '../stores/stores.service';
import { productPage } from './demo-page';
import { drawPicture } from './demo-picture';

export const DEMO_API_KEY = 'demo';

/** What shoppers of the demo shop see of it: pictures and product pages. */
@Injectable()
export class DemoShop {
  constructor(
    private readonly stores: StoresService,
    private readonly records: CatalogRecords,
  ) {}

  /** SVG. Throws 404 for a picture that no product has. */
  picture(file: string): string {
    const svg = drawPicture(file);
    if (svg === null) throw new ApiError('not_found', 'There is no such picture in the demo shop');
    return svg;
  }

  /** HTML. Throws 404 where there is no demo shop, or no such product in it. */
  async page(productId: string): Promise<string> {
    const store = this.stores.byApiKey(DEMO_API_KEY);
    const [record] = store ? await this.records.read(store.id, [productId]) : [];
    const product = store && record ? toProduct(record, store.settings.defaultSalesChannel) : null;
    if (!store || !product) throw new ApiError('not_found', 'There is no such product in the demo shop');
    const { locale, currency } = store.settings;
    return productPage(product, new Intl.NumberFormat(locale, { style: 'currency', currency }));
  }
}
