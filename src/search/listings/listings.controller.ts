import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QueryValues } from '../../http/query-string';
import { CurrentCaller, StoreAccess } from '../../stores/access/store-access';
import type { Caller } from '../../stores/store';
import { AnswersList, ListAnswers } from '../list-answers';
import { hotsitesReply, navigatesReply } from '../reply/reply-schema';
import { callOf } from '../search.controller';
import type { SearchParameters } from '../search-parameters';
import type { SearchCall } from '../search.service';
import {
  type HotsitesParameters,
  hotsitesParameters,
  type NavigatesParameters,
  navigatesParameters,
} from './listing-parameters';
import { ListingsService } from './listings.service';

/** Category pages and hotsites (contract 4.8). A whitelisted Origin or the store's keys; 404 with `searchId` for what is not there. */
@ApiTags('search')
@StoreAccess('search')
@Controller('engage/search/v3')
export class ListingsController {
  constructor(
    private readonly listings: ListingsService,
    private readonly answers: ListAnswers,
  ) {}

  @ApiOperation({
    summary: 'The products of a category, or of a value, ranked for the shopper',
    description: '404, with `searchId`: no such category, or nothing in it',
  })
  @AnswersList(navigatesReply, 'not_found')
  @Get('navigates')
  navigates(
    @CurrentCaller() caller: Caller,
    @Query({ schema: navigatesParameters }) parameters: NavigatesParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer({ caller, parameters, request, reply }, (call) => this.listings.navigate(call));
  }

  @ApiOperation({
    summary: 'The products of a hotsite, ranked for the shopper',
    description: 'What a page `/especial/<name>` shows. 404, with `searchId`: no such hotsite',
  })
  @AnswersList(hotsitesReply, 'not_found')
  @Get('hotsites')
  hotsites(
    @CurrentCaller() caller: Caller,
    @Query({ schema: hotsitesParameters }) parameters: HotsitesParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const chosen = (request.query as QueryValues)['sortBy'] !== undefined;
    const sortRule = chosen ? undefined : this.listings.sortRule(caller.store, parameters.name);
    const asked = { ...parameters, sortBy: sortRule ?? parameters.sortBy };
    return this.answer({ caller, parameters: asked, request, reply }, (call) => this.listings.hotsite(call));
  }

  private answer<P extends SearchParameters>(
    asking: { caller: Caller; parameters: P; request: FastifyRequest; reply: FastifyReply },
    work: (call: SearchCall & { parameters: P }) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    // A list has no words, and names its products by itself.
    const parameters = { ...asking.parameters, terms: undefined, pids: undefined };
    const call = { ...callOf('search', asking.caller, parameters, asking.request), parameters };
    return this.answers.answer(asking, (until) => work({ ...call, until }));
  }
}
