import { Global, Module } from '@nestjs/common';
import { AnswerLimit } from './answer-limit';
import { Metrics } from './health/metrics';
import { LoadControl } from './load/load-control';
import { Readiness } from './health/readiness';
import { Shutdown } from './shutdown/shutdown';
import { ServiceController } from './health/service.controller';

const shared = [Metrics, Readiness, AnswerLimit, LoadControl, Shutdown];

/** Health, readiness, metrics, how long a shopper waits, what is refused under load, and how a process leaves. Needs Storage. */
@Global()
@Module({ controllers: [ServiceController], providers: shared, exports: shared })
export class HttpModule {}
