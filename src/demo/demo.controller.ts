import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { OpenRoute } from '../http/openapi/open-route';
import { DemoShop } from './demo-shop';

/** Pictures and product pages of the demo shop, for anybody. */
@ApiExcludeController()
@OpenRoute('pages and pictures of a shop that is made up')
@Controller('demo')
export class DemoController {
  constructor(private readonly shop: DemoShop) {}

  @Get('images/:file')
  @Header('content-type', 'image/svg+xml; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  picture(@Param('file') file: string): string {
    return this.shop.picture(file);
  }

  @Get('products/:productId')
  @Header('content-type', 'text/html; charset=utf-8')
  page(@Param('productId') productId: string): Promise<string> {
    return this.shop.page(productId);
  }
}
