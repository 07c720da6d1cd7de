import { type DynamicModule, Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings, SettingsError } from '../config/settings';
import { EmbeddedDatabase } from './embedded-database';
import { openStorage, Storage } from './storage';

/** Closes it after everything that uses it has stopped. */
@Injectable()
class StorageShutdown implements OnApplicationShutdown {
  constructor(@Inject(Storage) private readonly storage: Storage) {}

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }
}

/** Where everything is kept, for every adapter. */
@Global()
@Module({})
export class StorageModule {
  /** `database`: one that is being opened already. */
  static forRoot({ database }: { database: Promise<EmbeddedDatabase> | undefined }): DynamicModule {
    return {
      module: StorageModule,
      providers: [
        {
          provide: Storage,
          inject: [Settings],
          useFactory: (settings: Settings): Promise<Storage> => openStorage(settings, database),
        },
        embeddedOnly,
        StorageShutdown,
      ],
      exports: [Storage, EmbeddedDatabase],
    };
  }
}

/** For capabilities that have no production adapter yet. */
const embeddedOnly = {
  provide: EmbeddedDatabase,
  inject: [Storage],
  useFactory: (storage: Storage): EmbeddedDatabase | Promise<EmbeddedDatabase> =>
    storage.choose<EmbeddedDatabase>({
      embedded: ({ database }) => database,
      production: () => {
        throw new SettingsError('A part of the service has no production adapter in this build');
      },
    }),
};
