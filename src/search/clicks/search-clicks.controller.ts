import { Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AnswerLimit } from '../../http/answer-limit';
import { IgnoresBody } from '../../http/body-limit';
import { Answers, Refuses } from '../../http/openapi/answers';
import { OpenRoute } from '../../http/openapi/open-route';
import { isId } from '../../shared/ids';
import { type ClickParameters, clickParameters } from './click-parameters';
import { SearchClicksService } from './search-clicks.service';

/** Clients append the clickUrl to the base of one interface or of the other. */
const ADDRESSES = ['engage/search/v3/clicks', 'search/v3/clicks'];

@ApiTags('search')
@Controller()
export class SearchClicksController {
  constructor(
    private readonly clicks: SearchClicksService,
    private readonly limit: AnswerLimit,
  ) {}

  @Get(ADDRESSES)
  @OpenRoute('the signed trackingId is all it needs')
  @HttpCode(204)
  @ApiOperation({ summary: 'A click on what a search found: clickUrl, appended to where searches are' })
  @Answers(204, null, 'Durable, or a repeat of what is')
  @Refuses('invalid_parameter')
  click(
    @Query({ schema: clickParameters }) parameters: ClickParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.count(parameters, request);
  }

  @Post(ADDRESSES)
  @IgnoresBody()
  @OpenRoute('the signed trackingId is all it needs')
  @HttpCode(204)
  @ApiOperation({ summary: 'The same as navigator.sendBeacon sends it; a body is not read' })
  @Answers(204, null, 'Durable, or a repeat of what is')
  @Refuses('invalid_parameter')
  beacon(
    @Query({ schema: clickParameters }) parameters: ClickParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.count(parameters, request);
  }

  private async count(parameters: ClickParameters, { headers, ip }: FastifyRequest): Promise<void> {
    const named = headers['x-user-id'];
    const call = isId(named) ? { ...parameters, userId: named } : parameters;
    await this.limit.within(this.clicks.click(call, { userAgent: headers['user-agent'] ?? '', address: ip }));
  }
}
