import { Readable } from 'node:stream';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { SSE_METADATA } from '@nestjs/common/constants';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AnswerLimit } from './answer-limit';

/**
 * For routes whose work may take long: they are 503 `unavailable` within a second where the storage does not answer, and take as long as they need
 * where it does. What has begun goes on to its end, unheard. Left out: a body that is a
 * stream, which takes as long as its sender, and an answer that is one, each part of which leaves when it comes.
 */
@Injectable()
export class WhileAnswering implements NestInterceptor {
  constructor(private readonly limit: AnswerLimit) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    const isEvents = Reflect.getMetadata(SSE_METADATA, context.getHandler()) === true;
    if (isEvents || body instanceof Readable) return next.handle();
    // A promise, since an observable that nobody hears any more would end in the middle.
    const work = lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.limit.whileAnswering(work));
  }
}
