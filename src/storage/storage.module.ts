import {
  type DynamicModule,
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Settings } from '../config/settings';
import { type Refused, REFUSALS } from './elastic/refusals';
import { Periodic } from '../shared/async/periodic';
import { Clock } from '../shared/clock';
import { openStorage, Storage, takeDataFolder } from './storage';

/** Milliseconds: a month's indices are there hours before it begins, also where the cluster was down for some. */
const PREPARE_EVERY = 3_600_000;

const stackOf = (error: unknown): unknown => (error instanceof Error ? error.stack : error);

/**
 * Logs when Redis, or the disk of the embedded database, goes down and comes back, and what Elasticsearch refuses. Makes the indices of months
 * ahead, and notes which indices there are. Closes the storage after everything that uses it has stopped.
 */
@Injectable()
class StorageLifecycle implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('storage');

  private readonly ahead = new Periodic(
    PREPARE_EVERY,
    () =>
      this.storage.choose<Promise<void> | null>({
        embedded: () => null,
        production: async ({ elastic }) => {
          await elastic.prepareMonths(this.clock.now()).finally(() => elastic.shared.remember());
        },
      }) ?? Promise.resolve(),
    (error) => this.logger.error('The indices of the next month could not be made ahead', stackOf(error)),
  );

  constructor(
    private readonly storage: Storage,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const sayDisk = (trouble: Error | null): void => {
      if (trouble === null) this.logger.warn('The database takes writes again');
      else this.logger.error(`The database takes no writes, which are answered 503: ${trouble.message}`, trouble.cause);
    };
    const say = (up: boolean): void => {
      if (up) this.logger.log('Redis answers again');
      else this.logger.warn('Redis does not answer: searches are neutral, events and jobs wait in Elasticsearch');
    };
    const sayFull = (refusal: string | null): void => {
      if (refusal === null) this.logger.warn('Redis takes writes again');
      else this.logger.error(`Redis takes no writes: ${refusal}. Profiles are read from the log, jobs wait`);
    };
    const sayNode = (node: string, up: boolean): void => {
      if (up) this.logger.warn(`The node of Elasticsearch at ${node} answers again`);
      else this.logger.warn(`A node of Elasticsearch does not answer, and is asked no more until it does: ${node}`);
    };
    const tell = ({ kind, count, what }: Refused): void =>
      this.logger.error(`Elasticsearch refuses requests (${kind}, ${count} more): ${REFUSALS[kind]}. ${what}`);
    this.storage.choose({
      embedded: ({ writer }) => writer.health.onChange(sayDisk),
      production: ({ elastic, redis }) => {
        redis.onChange(say);
        redis.writes.onChange(sayFull);
        elastic.refusals.onRefusal(tell);
        elastic.nodes.onChange(sayNode);
      },
    });
  }

  /** Nobody waits for it: what is written to before is made at once. */
  onApplicationBootstrap(): void {
    this.ahead.start();
    void this.ahead.run();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.ahead.stop();
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
