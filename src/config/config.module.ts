import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../shared/clock';
import { loadSecrets, Secrets } from './secrets';
import { Settings } from './settings';

/** Settings, Secrets and Clock, for everybody. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(options: { settings: Settings; clock?: Clock }): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Settings, useValue: options.settings },
        { provide: Secrets, useFactory: (): Secrets => loadSecrets(options.settings) },
        { provide: Clock, useValue: options.clock ?? new SystemClock() },
      ],
      exports: [Settings, Secrets, Clock],
    };
  }
}
