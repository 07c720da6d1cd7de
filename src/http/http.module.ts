import { Global, Module } from '@nestjs/common';
import { AnswerLimit } from './answer-limit';
import { Metrics } from './health/metrics';
import { Readiness } from './health/readiness';
import { ServiceController } from './health/service.controller';

const shared = [Metrics, Readiness, AnswerLimit];

/** Health, readiness, metrics, and how long a shopper waits. Needs Storage. */
@Global()
@Module({ controllers: [ServiceController], providers: shared, exports: shared })
export class HttpModule {}
