import { Body, Controller, Delete, HttpCode, Param, Put, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerLimit } from '../../http/answer-limit';
import { Answers, Refuses } from '../../http/openapi/answers';
import { BodyLimit, EVENT_BODY_LIMIT } from '../../http/body-limit';
import { WhileAnswering } from '../../http/while-answering';
import type { Caller } from '../../stores/store';
import { CurrentCaller, StoreAccess } from '../../stores/access/store-access';
import { type EraseReceipt, eraseReceipt } from './personal-data';
import { UsersService } from './users.service';

@ApiTags('users')
@Controller('v7/users')
@StoreAccess('users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly limit: AnswerLimit,
  ) {}

  @Put(':userId')
  @BodyLimit(EVENT_BODY_LIMIT)
  @HttpCode(204)
  @ApiOperation({ summary: "A user's attributes, all of them; personalize: false opts the user out" })
  @ApiBody({ schema: { type: 'object', additionalProperties: true } })
  @Answers(204, null)
  @Refuses('invalid_id', 'invalid_body')
  async put(@CurrentCaller() caller: Caller, @Param('userId') userId: string, @Body() body: unknown): Promise<void> {
    await this.limit.within(this.users.put(caller.store, userId, body));
  }

  @Delete(':userId')
  @UseInterceptors(WhileAnswering)
  @HttpCode(200)
  @ApiOperation({ summary: 'Erases everything known of a user; answers how much that was' })
  @Answers(200, eraseReceipt)
  @Refuses('invalid_id')
  async erase(@CurrentCaller() caller: Caller, @Param('userId') userId: string): Promise<EraseReceipt> {
    return this.users.erase(caller.store, userId);
  }
}
