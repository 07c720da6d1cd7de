import { applyDecorators, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isNotModified } from '../http/entity-tag';
import { LoadControl } from '../http/load/load-control';
import { Answers, Refuses } from '../http/openapi/answers';
import type { ErrorCode } from '../shared/error-catalogue';
import { loadNames } from '../stores/access/load-names';
import type { Caller } from '../stores/store';
import { jsonOf } from './reply/json-part';
import { isForEveryone, type Shopper, taggedReply } from './reply/reply-tag';

/** What a list answers and refuses, in the OpenAPI document. `others`: errors beside those of every list. */
export function AnswersList(schema: z.ZodType, ...others: ErrorCode[]): MethodDecorator {
  const notModified = 'The caller has the same reply already: its ETag was sent as If-None-Match';
  return applyDecorators(
    Answers(200, schema),
    Answers(304, null, notModified),
    Refuses('invalid_parameter', 'forbidden', ...others, 'overloaded'),
  );
}

/** Who asks, and for whom. */
interface Asking {
  caller: Caller;
  parameters: Shopper;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** How every list is answered: when its turn comes, and without a body where everyone gets the same and the caller has it. */
@Injectable()
export class ListAnswers {
  constructor(private readonly load: LoadControl) {}

  /**
   * Sends the reply. `work` is told until when somebody waits. What it finds is sent within its turn, and nothing of it is returned: in a crowd
   * what waits for its turn is old for V8 when that comes, and what something old holds stays until the garbage of the whole heap is collected.
   */
  async answer(
    { caller, parameters, request, reply }: Asking,
    work: (until: number) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const isTagged = isForEveryone(parameters);
    await this.load.read(loadNames(caller), request, async (until) => {
      const found = await work(until);
      // Too late: the error was sent.
      if (reply.sent) return;
      if (isTagged) sendTagged(request, reply, found);
      else sendJson(reply, jsonOf(found));
    });
  }
}

function sendTagged(request: FastifyRequest, reply: FastifyReply, found: Record<string, unknown>): void {
  const { text, tag } = taggedReply(found);
  if (isNotModified(request, reply, tag)) void reply.send();
  else sendJson(reply, text);
}

/** As bytes, which are outside of V8's heap: its collections of young garbage would copy a text for as long as a slow client takes. */
function sendJson(reply: FastifyReply, text: string): void {
  void reply.type('application/json; charset=utf-8').send(Buffer.from(text));
}
