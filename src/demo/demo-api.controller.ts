import { Controller, Get, Header, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type VectorView, VectorViews } from '../behaviour/profiles/vector-view';
import { shopperId } from '../http/fields';
import { LoadControl } from '../http/load/load-control';
import { OpenRoute } from '../http/openapi/open-route';
import { ApiError } from '../shared/api-error';
import { type SearchParameters, searchParameters } from '../search/search-parameters';
import { addressKey } from '../stores/access/address-key';
import { DemoExplanations, type ExplainedSearch } from './demo-explanations';
import { DemoShop } from './demo-shop';
import { showcase } from './demo-shoppers';

const profileQuery = z.object({ userId: shopperId, deviceId: shopperId });

/** What the storefront needs to begin with. */
interface ShopView {
  isReady: true;
  name: string;
  locale: string;
  currency: string;
  query: string;
  shoppers: readonly string[];
}

/**
 * What the panel of the demo storefront shows, and no page of another store may see (docs/access.md): what is known of a shopper, and why
 * products rank where they do. Of the demo store alone, which is made up, as are its shoppers but for random devices.
 */
@ApiExcludeController()
@OpenRoute('explanations and profiles of a shop that is made up')
@Controller('demo/api')
export class DemoApiController {
  constructor(
    private readonly shop: DemoShop,
    private readonly views: VectorViews,
    private readonly explanations: DemoExplanations,
    private readonly load: LoadControl,
  ) {}

  @Get('shop')
  @Header('cache-control', 'no-store')
  async about(): Promise<ShopView | { isReady: false }> {
    const store = await this.shop.find();
    if (!store) return { isReady: false };
    const { name, settings } = store;
    const { locale, currency } = settings;
    const shoppers = showcase.shoppers.map(({ userId }) => userId);
    return { isReady: true, name, locale, currency, query: showcase.query, shoppers };
  }

  @Get('profile')
  @Header('cache-control', 'no-store')
  async profile(
    @Query({ schema: profileQuery }) { userId, deviceId }: z.output<typeof profileQuery>,
  ): Promise<VectorView> {
    const store = await this.shop.open();
    if (userId !== undefined) return this.views.view(store, { userId });
    if (deviceId !== undefined) return this.views.view(store, { deviceId });
    throw new ApiError('invalid_parameter', 'userId: is required (or deviceId)');
  }

  /** The parameters are those of a search. It is not one: nothing is logged or remembered of it. */
  @Get('explain')
  @Header('cache-control', 'no-store')
  async explain(
    @Query({ schema: searchParameters }) parameters: SearchParameters,
    @Req() request: FastifyRequest,
  ): Promise<ExplainedSearch> {
    const store = await this.shop.open();
    const names = [store.id, addressKey(request.ip)] as const;
    return this.load.read(names, request, (until) => this.explanations.of(store, parameters, until));
  }
}
