import { Controller, Get, HttpCode, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AnswerLimit } from '../../http/answer-limit';
import { Answers, Refuses } from '../../http/openapi/answers';
import { OpenRoute } from '../../http/openapi/open-route';
import { isId } from '../../shared/ids';
import { type ClickParameters, clickParameters, SearchClicksService } from './search-clicks.service';

@ApiTags('search')
@Controller()
export class SearchClicksController {
  constructor(
    private readonly clicks: SearchClicksService,
    private readonly limit: AnswerLimit,
  ) {}

  @Get('engage/search/v3/clicks')
  @OpenRoute('the signed trackingId is all it needs')
  @HttpCode(204)
  @ApiOperation({ summary: 'A click on what a search found: clickUrl, appended to where searches are' })
  @Answers(204, null, 'Durable, or a repeat of what is')
  @Refuses('invalid_parameter')
  async click(
    @Query({ schema: clickParameters }) parameters: ClickParameters,
    @Req() { headers, ip }: FastifyRequest,
  ): Promise<void> {
    const named = headers['x-user-id'];
    const call = isId(named) ? { ...parameters, userId: named } : parameters;
    await this.limit.within(this.clicks.click(call, { userAgent: headers['user-agent'] ?? '', address: ip }));
  }
}
