import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AnswerLimit } from '../../http/answer-limit';
import { BodyLimit, EVENT_BODY_LIMIT } from '../../http/body-limit';
import type { Caller } from '../../stores/store';
import { CurrentCaller, StoreAccess } from '../../stores/store-access';
import { EventIntake } from './event-intake';
import { EVENT_NAMES } from './event-names';

@ApiTags('events')
@Controller('v7/events')
export class EventsController {
  constructor(
    private readonly intake: EventIntake,
    private readonly limit: AnswerLimit,
  ) {}

  @Post('views/:name')
  @StoreAccess('events')
  @BodyLimit(EVENT_BODY_LIMIT)
  @HttpCode(204)
  @ApiOperation({ summary: 'What a shopper did. Durable when it is answered; repeats are harmless' })
  @ApiParam({ name: 'name', enum: [...EVENT_NAMES] })
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @ApiResponse({ status: 204, description: 'Durable, or a repeat of what is' })
  @ApiResponse({ status: 400, description: 'invalid_parameter (unknown event), invalid_body, invalid_json, too_deep' })
  @ApiResponse({ status: 503, description: 'unavailable: it may be durable or not; send the same again' })
  async view(@CurrentCaller() caller: Caller, @Param('name') name: string, @Body() body: unknown): Promise<void> {
    await this.limit.within(this.intake.accept(caller, name, body));
  }
}
