import { Controller, Get, Header, Query, Req } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { LoadControl } from '../http/load/load-control';
import { Answers, Refuses } from '../http/openapi/answers';
import { isId } from '../shared/ids';
import type { Caller } from '../stores/store';
import { loadNames } from '../stores/access/load-names';
import { CurrentCaller, StoreAccess } from '../stores/access/store-access';
import { type ShowcaseParameters, showcaseParameters } from './parameters';
import { type ShowcaseReply, showcaseReply } from './reply/reply-schemas';
import { ShowcaseService } from './showcase.service';

@ApiTags('showcase')
@Controller()
export class ShowcaseController {
  constructor(
    private readonly showcase: ShowcaseService,
    private readonly load: LoadControl,
  ) {}

  @Get('v2/showcases')
  @StoreAccess('showcase')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Sponsored products for a page, each with a link that counts its click' })
  @ApiHeader({ name: 'x-user-id', required: false })
  @Answers(200, showcaseReply)
  @Refuses('invalid_parameter', 'overloaded')
  show(
    @CurrentCaller() caller: Caller,
    @Query({ schema: showcaseParameters }) parameters: ShowcaseParameters,
    @Req() request: FastifyRequest,
  ): Promise<ShowcaseReply> {
    const named = request.headers['x-user-id'];
    const userId = isId(named) ? named : parameters.userId;
    const shopper = { userId, deviceId: parameters.deviceId };
    const show = () => this.showcase.show(caller.store, parameters, shopper, request.id);
    return this.load.read(loadNames(caller), request, show);
  }
}
