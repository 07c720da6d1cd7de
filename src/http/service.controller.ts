import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Metrics } from './metrics';
import { Readiness } from './readiness';

/** For those who run the service; open to everybody who reaches it. */
@ApiExcludeController()
@Controller()
export class ServiceController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** 200 while the process can answer at all. */
  @Get('health/live')
  @Header('cache-control', 'no-store')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** 200 where every dependency works, 503 naming the one that doesn't. */
  @Get('health/ready')
  @Header('cache-control', 'no-store')
  ready(): ReturnType<Readiness['report']> {
    return this.readiness.report();
  }

  /** Prometheus text. */
  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  text(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
