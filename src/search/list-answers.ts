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

  /** `work` is told until when somebody waits. Undefined: the caller has the same reply already. */
  async answer(
    { caller, parameters, request, reply }: Asking,
    work: (until: number) => Promise<Record<string, unknown>>,
  ): Promise<Buffer | undefined> {
    const found = await this.load.read(loadNames(caller), request, work);
    if (!isForEveryone(parameters)) return asJson(reply, jsonOf(found));
    const { text, tag } = taggedReply(found);
    return isNotModified(request, reply, tag) ? undefined : asJson(reply, text);
  }
}

/** As bytes, which are outside of V8's heap: its collections of young garbage would copy a text for as long as a slow client takes. */
function asJson(reply: FastifyReply, text: string): Buffer {
  void reply.type('application/json; charset=utf-8');
  return Buffer.from(text);
}
