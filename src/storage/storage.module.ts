import { type DynamicModule, Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings';
import { EmbeddedDatabase } from './embedded-database';
import { procedureModules } from './procedure-modules';

/** Closes the database after everything that uses it has stopped. */
@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(@Inject(EmbeddedDatabase) private readonly database: EmbeddedDatabase) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

/** The embedded database, for every embedded adapter. */
@Global()
@Module({})
export class StorageModule {
  /** `database`: one that is being opened already. */
  static forRoot({ database }: { database: Promise<EmbeddedDatabase> | undefined }): DynamicModule {
    return {
      module: StorageModule,
      providers: [
        {
          provide: EmbeddedDatabase,
          inject: [Settings],
          useFactory: (settings: Settings): Promise<EmbeddedDatabase> =>
            database ?? EmbeddedDatabase.open(settings.dataDir, procedureModules()),
        },
        DatabaseShutdown,
      ],
      exports: [EmbeddedDatabase],
    };
  }
}
