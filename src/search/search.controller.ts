import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QueryValues } from '../http/query-string';
import type { Caller } from '../stores/store';
import { CurrentCaller, StoreAccess } from '../stores/access/store-access';
import { AnswersList, ListAnswers } from './list-answers';
import { type SearchParameters, searchParameters } from './search-parameters';
import { nearestWarnings, onItsPage } from './nearest';
import { linkContext } from './reply/link-context';
import { queriesReply, searchReply } from './reply/reply-schema';
import { type SearchCall, SearchService } from './search.service';

/** The searches (contract 4). A whitelisted Origin or the store's keys; 400 invalid_parameter, 503 unavailable or overloaded. */
@ApiTags('search')
@StoreAccess('search')
@Controller()
export class SearchController {
  constructor(
    private readonly searches: SearchService,
    private readonly answers: ListAnswers,
  ) {}

  @ApiOperation({ summary: 'Products for a query, ranked for the shopper, and the matching query terms of the store' })
  @AnswersList(queriesReply)
  @Get('searchapi/v3/queries')
  queries(
    @CurrentCaller() caller: Caller,
    @Query({ schema: searchParameters }) parameters: SearchParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(callOf('queries', caller, parameters, request), request, reply);
  }

  @ApiOperation({ summary: 'Products for a query, ranked for the shopper, in full' })
  @AnswersList(searchReply)
  @Get(['engage/search/v3/search', 'searchapi/v3/search'])
  search(
    @CurrentCaller() caller: Caller,
    @Query({ schema: searchParameters }) parameters: SearchParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer(callOf('search', caller, parameters, request), request, reply);
  }

  private answer(call: Omit<SearchCall, 'until'>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.answers.answer({ ...call, request, reply }, (until) => this.searches.search({ ...call, until }));
  }
}

/** What a request asks for. Links repeat whatever of its address is among `parameters`. */
export function callOf(
  path: SearchCall['path'],
  caller: Caller,
  asked: SearchParameters,
  request: FastifyRequest,
): Omit<SearchCall, 'until'> {
  const parameters = onItsPage(asked);
  const address = request.url.split('?', 1)[0] ?? '';
  const { apiKey } = caller.store;
  const sent = request.query as QueryValues;
  const context = linkContext(address, sent, { parameters, apiKey });
  return { caller, parameters, requestId: request.id, context, path, warnings: nearestWarnings(sent, parameters) };
}
