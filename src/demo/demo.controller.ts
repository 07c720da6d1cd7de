import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { toProduct } from '../catalog/product/to-product';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { OpenRoute } from '../http/openapi/open-route';
import { ApiError } from '../shared/api-error';
import { StoresService } from '../stores/stores.service';
import { productPage } from './demo-page';
import { drawPicture } from './demo-picture';
import { DEMO_API_KEY } from './demo-world';

/** Pictures and product pages of the demo shop, for anybody. */
@ApiExcludeController()
@OpenRoute('pages and pictures of a shop that is made up')
@Controller('demo')
export class DemoController {
  constructor(
    private readonly stores: StoresService,
    private readonly records: CatalogRecords,
  ) {}

  @Get('images/:file')
  @Header('content-type', 'image/svg+xml; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  picture(@Param('file') file: string): string {
    const svg = drawPicture(file);
    if (svg === null) throw new ApiError('not_found', 'There is no such picture in the demo shop');
    return svg;
  }

  @Get('products/:productId')
  @Header('content-type', 'text/html; charset=utf-8')
  async page(@Param('productId') productId: string): Promise<string> {
    const store = this.stores.byApiKey(DEMO_API_KEY);
    const [record] = store ? await this.records.read(store.id, [productId]) : [];
    const product = store && record ? toProduct(record, store.settings.defaultSalesChannel) : null;
    if (!store || !product) throw new ApiError('not_found', 'There is no such product in the demo shop');
    const { locale, currency } = store.settings;
    return productPage(product, new Intl.NumberFormat(locale, { style: 'currency', currency }));
  }
}
