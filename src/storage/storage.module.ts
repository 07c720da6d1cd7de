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
import { openStorage, Storage, takeDataFolder } from './storage';

/** Logs when Redis, or the disk of the embedded database, goes down and comes back. Closes the storage after everything that uses it has stopped. */
@Injectable()
class StorageLifecycle implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('storage');

  constructor(private readonly storage: Storage) {}

  onModuleInit(): void {
    const sayDisk = (trouble: Error | null): void => {
      if (trouble === null) this.logger.warn('The database takes writes again');
      else this.logger.error(`The database takes no writes, which are answered 503: ${trouble.message}`, trouble.cause);
    };
    const say = (up: boolean): void => {
      if (up) this.logger.log('Redis answers again');
      else this.logger.warn('Redis does not answer: searches are neutral, events and jobs wait in Elasticsearch');
    };
    this.storage.choose({
      embedded: ({ writer }) => writer.health.onChange(sayDisk),
      production: ({ redis }) => redis.onChange(say),
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
          useFactory: (settings: Settings): Promise<Storage> =>
            storage ?? openStorage(settings, takeDataFolder(settings)),
        },
        StorageLifecycle,
      ],
      exports: [Storage],
    };
  }
}
