import {
  type DynamicModule,
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Settings } from '../config/settings';
import { type Refused, REFUSALS } from './elastic/refusals';
import { openStorage, Storage } from './storage';

/** Logs when Redis goes down and comes back, and what Elasticsearch refuses. Closes the storage after everything that uses it has stopped. */
@Injectable()
class StorageLifecycle implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('storage');

  constructor(private readonly storage: Storage) {}

  onModuleInit(): void {
    const say = (up: boolean): void => {
      if (up) this.logger.log('Redis answers again');
      else this.logger.warn('Redis does not answer: searches are neutral, events and jobs wait in Elasticsearch');
    };
    const tell = ({ kind, count, what }: Refused): void =>
      this.logger.error(`Elasticsearch refuses requests (${kind}, ${count} more): ${REFUSALS[kind]}. ${what}`);
    this.storage.choose({
      embedded: () => undefined,
      production: ({ elastic, redis }) => {
        redis.onChange(say);
        elastic.refusals.onRefusal(tell);
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }
}

/** The storage, for every adapter. */
@Global()
@Module({})
export class StorageModule {
  /** `storage`: one that is already being opened. */
  static forRoot({ storage }: { storage: Promise<Storage> | undefined }): DynamicModule {
    return {
      module: StorageModule,
      providers: [
        {
          provide: Storage,
          inject: [Settings],
          useFactory: (settings: Settings): Promise<Storage> => storage ?? openStorage(settings),
        },
        StorageLifecycle,
      ],
      exports: [Storage],
    };
  }
}
