import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Answers, AnswersAs } from '../openapi/answers';
import { Metrics } from './metrics';
import { OpenRoute } from '../openapi/open-route';
import { Readiness } from './readiness';

/** For those who run the service; open to everybody who reaches it. */
@ApiTags('operations')
@OpenRoute('balancers and Prometheus have no keys; kept off the public side of the balancer')
@Controller()
export class ServiceController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  @Get('health/live')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: '200 while the process can answer at all' })
  @Answers(200, z.object({ status: z.literal('live') }))
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Get('health/ready')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary:
      '200 where what is needed works, else 503; either names each dependency and whether it is up, and the stores that are in trouble of their own, and says why, where that is known',
  })
  @Answers(
    200,
    z.object({
      status: z.literal('ready'),
      dependencies: z.record(z.string(), z.enum(['up', 'down'])),
      stores: z.record(z.string(), z.string()).optional(),
      reasons: z.record(z.string(), z.string()).optional(),
    }),
  )
  ready(): ReturnType<Readiness['report']> {
    return this.readiness.report();
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ summary: 'For Prometheus' })
  @AnswersAs('text/plain', 'Text, version 0.0.4')
  text(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
