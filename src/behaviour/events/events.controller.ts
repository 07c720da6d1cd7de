import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Answers, Refuses } from '../../http/openapi/answers';
import { BodyLimit, EVENT_BODY_LIMIT } from '../../http/body-limit';
import { LoadControl } from '../../http/load/load-control';
import { openApiSchema } from '../../http/openapi/openapi-schema';
import type { Caller } from '../../stores/store';
import { loadNames } from '../../stores/access/load-names';
import { CurrentCaller, StoreAccess } from '../../stores/access/store-access';
import { EventIntake } from './event-intake';
import { EVENT_NAMES, eventFields } from './event-schema';

@ApiTags('events')
@Controller('v7/events')
export class EventsController {
  constructor(
    private readonly intake: EventIntake,
    private readonly load: LoadControl,
  ) {}

  @Post('views/:name')
  @StoreAccess('events')
  @BodyLimit(EVENT_BODY_LIMIT)
  @HttpCode(204)
  @ApiOperation({ summary: 'What a shopper did. Durable when it is answered; repeats are harmless' })
  @ApiParam({ name: 'name', enum: [...EVENT_NAMES] })
  @ApiBody({ schema: openApiSchema(eventFields) })
  @Answers(204, null, 'Durable, or a repeat of what is')
  @Refuses('invalid_parameter', 'invalid_body', 'overloaded')
  async view(
    @CurrentCaller() caller: Caller,
    @Param('name') name: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.load.write(loadNames(caller), request, () => this.intake.accept(caller, name, body));
  }
}
