import { type DynamicModule, Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings';
import { EmbeddedDatabase } from './embedded-database';
import { procedureModules } from './procedure-modules';
import { Storage } from './storage';

/** Closes the storage after everything that uses it has stopped. */
@Injectable()
class StorageShutdown implements OnApplicationShutdown {
  constructor(private readonly storage: Storage) {}

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }
}

/** Production where the addresses of Elasticsearch and Redis are given, else embedded. The one place that decides it. */
async function open(settings: Settings, database: Promise<EmbeddedDatabase> | undefined): Promise<Storage> {
  const { elasticsearchUrl, redisUrl, indexPrefix, dataDir } = settings;
  if (elasticsearchUrl !== null && redisUrl !== null) {
    return Storage.production({ elasticsearchUrl, redisUrl, prefix: indexPrefix });
  }
  return Storage.embedded(await (database ?? EmbeddedDatabase.open(dataDir, procedureModules())));
}

/** The storage, for every adapter. */
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
          useFactory: (settings: Settings): Promise<Storage> => open(settings, database),
        },
        StorageShutdown,
      ],
      exports: [Storage],
    };
  }
}
