import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';
import { Readiness } from './readiness';
import { ServiceController } from './service.controller';

/** Health, readiness and metrics. Needs Documents and Storage. */
@Global()
@Module({ controllers: [ServiceController], providers: [Metrics, Readiness], exports: [Metrics, Readiness] })
export class HttpModule {}
