import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QueryValues } from '../../http/query-string';
import { CurrentCaller, StoreAccess } from '../../stores/access/store-access';
import type { Caller } from '../../stores/store';
import { AnswersList, ListAnswers } from '../list-answers';
import type { Shopper } from '../reply/reply-tag';
import {
  type AutocompleteParameters,
  autocompleteParameters,
  type AutocompleteProductsParameters,
  autocompleteProductsParameters,
} from './autocomplete-parameters';
import { autocompleteReply } from './autocomplete-reply';
import { type AutocompleteCall, AutocompleteService } from './autocomplete.service';

/** What a search box shows while a shopper types (contract 4.8). A whitelisted Origin or the store's keys. */
@ApiTags('search')
@StoreAccess('search')
@Controller('engage/search/v3/autocompletes')
export class AutocompleteController {
  constructor(
    private readonly autocomplete: AutocompleteService,
    private readonly answers: ListAnswers,
  ) {}

  @ApiOperation({
    summary: 'Queries and products for what was typed so far; popular queries where nothing was',
    description:
      'The last word of `prefix` (or `terms`) is completed, wherever it is in a name, and may hold one typing mistake. Products are those of the ' +
      'sales channel, ranked for the shopper. docs/autocomplete.md has an example of every parameter.',
  })
  @AnswersList(autocompleteReply)
  @Get()
  typed(
    @CurrentCaller() caller: Caller,
    @Query({ schema: autocompleteParameters }) parameters: AutocompleteParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer({ caller, parameters, request, reply }, (call) => this.autocomplete.typed(call));
  }

  @ApiOperation({
    summary: 'The most searched queries of the store, and the products that fit the shopper best, by id',
    description: 'Links carry `ranking=10&topsearch=1`, so that a store can tell who followed one.',
  })
  @AnswersList(autocompleteReply)
  @Get('popular')
  popular(
    @CurrentCaller() caller: Caller,
    @Query({ schema: autocompleteParameters }) parameters: AutocompleteParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer({ caller, parameters, request, reply }, (call) => this.autocomplete.popular(call));
  }

  @ApiOperation({
    summary: 'Products of one of the queries that are shown, or of a category',
    description: 'For the query a shopper points at. `categoryId` is one that an offered query came with.',
  })
  @AnswersList(autocompleteReply)
  @Get('products')
  products(
    @CurrentCaller() caller: Caller,
    @Query({ schema: autocompleteProductsParameters }) parameters: AutocompleteProductsParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answer({ caller, parameters, request, reply }, (call) => this.autocomplete.products(call));
  }

  private answer<P extends Shopper>(
    asking: { caller: Caller; parameters: P; request: FastifyRequest; reply: FastifyReply },
    work: (call: AutocompleteCall<P>) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const { caller, parameters, request } = asking;
    const call = { caller, parameters, sent: request.query as QueryValues, requestId: request.id };
    return this.answers.answer(asking, (until) => work({ ...call, until }));
  }
}
