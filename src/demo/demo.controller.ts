import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { OpenRoute } from '../http/openapi/open-route';
import { ApiError } from '../shared/api-error';
import { drawPicture } from './demo-picture';

/** Pictures of the demo shop, for anybody. Its pages are web/storefront. */
@ApiExcludeController()
@OpenRoute('pictures of a shop that is made up')
@Controller('demo')
export class DemoController {
  @Get('images/:file')
  @Header('content-type', 'image/svg+xml; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  picture(@Param('file') file: string): string {
    const svg = drawPicture(file);
    if (svg === null) throw new ApiError('not_found', 'There is no such picture in the demo shop');
    return svg;
  }
}
