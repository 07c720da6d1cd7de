import { Global, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../shared/clock';
import { Storage } from '../storage/storage';
import { StoresService } from '../stores/stores.service';
import { BehaviourAdminController } from './behaviour-admin.controller';
import { BehaviourRecords, BehaviourService } from './behaviour.service';
import { ElasticEventLog } from './events/adapters/elastic/elastic-event-log';
import { seqAt } from '../storage/elastic/sequence';
import { EmbeddedEventLog } from './events/adapters/embedded/embedded-event-log';
import { InProcessDeduplicator } from './events/adapters/embedded/in-process-deduplicator';
import { RedisDeduplicator } from './events/adapters/redis/redis-deduplicator';
import { EventIntake } from './events/event-intake';
import { EventJudge } from './events/event-judge';
import { EventLog } from './events/event-log';
import { EventMetrics } from './events/event-metrics';
import { EventsController } from './events/events.controller';
import { EvidenceBuilder } from './events/evidence-builder';
import { FloodGuard } from './events/flood-guard';
import { ElasticImportFiles } from './events/imports/adapters/elastic/elastic-import-files';
import { EmbeddedImportFiles } from './events/imports/adapters/embedded/embedded-import-files';
import { EventImports, ImportParts } from './events/imports/event-imports';
import { ImportFiles } from './events/imports/import-files';
import { PendingEvents } from './events/pending-events';
import { Deduplicator } from './events/deduplicator';
import { ElasticLearnedStats } from './learning/adapters/elastic/elastic-learned-stats';
import { ElasticModelLearner } from './learning/adapters/elastic/elastic-model-learner';
import { EmbeddedLearnedStats } from './learning/adapters/embedded/embedded-learned-stats';
import { EmbeddedModelLearner } from './learning/adapters/embedded/embedded-model-learner';
import { LearnedModels } from './learning/learned-models';
import { LearnedStats } from './learning/learned-stats';
import { LearningRuntime, LearningService } from './learning/learning.service';
import { ModelLearner } from './learning/model-learner';
import { StatsCache } from './learning/stats-cache';
import { EmbeddedProfileStore } from './profiles/adapters/embedded/embedded-profile-store';
import type { MissedEvents } from './profiles/adapters/redis/missed-events';
import { openShopperStorage } from './profiles/adapters/redis/shopper-storage';
import { ProfileJobs } from './profiles/profile-jobs';
import { ProfileStore } from './profiles/profile-store';
import { ProfilesService } from './profiles/profiles.service';
import { VectorViews } from './profiles/vector-view';
import { KnownUsers } from './shoppers/known-users';
import { PersonalData } from './shoppers/personal-data';
import { UserAttributes } from './shoppers/user-attributes';
import { UserHashes } from './shoppers/user-hashes';
import { UserJobs } from './shoppers/user-jobs';
import { UserRecords } from './shoppers/user-records';
import { UsersController } from './shoppers/users.controller';
import { UsersService } from './shoppers/users.service';

/** The event log, the profiles and who learns from the log, which are opened together; what keeps them in step works as long as the service does. */
@Injectable()
class ShopperRecords implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    readonly log: EventLog,
    readonly profiles: ProfileStore,
    readonly learner: ModelLearner,
    private readonly missed: MissedEvents | null,
  ) {}

  onApplicationBootstrap(): void {
    this.missed?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.missed?.stop();
  }
}

function openShopperRecords(storage: Storage, stores: StoresService, clock: Clock): Promise<ShopperRecords> {
  return storage.choose<Promise<ShopperRecords>>({
    embedded: async (database) =>
      new ShopperRecords(
        new EmbeddedEventLog(database),
        new EmbeddedProfileStore(database, clock),
        new EmbeddedModelLearner(database),
        null,
      ),
    production: async ({ elastic, redis }) => {
      const { below, log, profiles, missed } = await openShopperStorage({
        redis,
        clock,
        // The search itself is still to come.
        readWithinMs: elastic.timeoutMs / 2,
        stores: () => stores.all().map(({ id }) => id),
        openLog: async (lacking) => {
          const opened = await ElasticEventLog.open({ connection: elastic, clock, lacking });
          return { log: opened, shoppers: (query) => opened.shoppers(query), seqAt };
        },
      });
      return new ShopperRecords(log, profiles, new ElasticModelLearner(elastic, below.log), missed);
    },
  });
}

/** The one place that chooses how behaviour is kept. */
const adapters = [
  {
    provide: ShopperRecords,
    inject: [Storage, StoresService, Clock],
    useFactory: openShopperRecords,
  },
  { provide: EventLog, inject: [ShopperRecords], useFactory: ({ log }: ShopperRecords): EventLog => log },
  {
    provide: Deduplicator,
    inject: [Storage],
    useFactory: (storage: Storage): Deduplicator =>
      storage.choose<Deduplicator>({
        embedded: () => new InProcessDeduplicator(),
        production: ({ redis }) => new RedisDeduplicator(redis, new InProcessDeduplicator()),
      }),
  },
  {
    provide: ProfileStore,
    inject: [ShopperRecords],
    useFactory: ({ profiles }: ShopperRecords): ProfileStore => profiles,
  },
  {
    provide: LearnedStats,
    inject: [Storage],
    useFactory: (storage: Storage): Promise<LearnedStats> =>
      storage.choose<Promise<LearnedStats>>({
        embedded: async (database) => new EmbeddedLearnedStats(database),
        production: ({ elastic }) => ElasticLearnedStats.open(elastic),
      }),
  },
  {
    provide: ModelLearner,
    inject: [ShopperRecords],
    useFactory: ({ learner }: ShopperRecords): ModelLearner => learner,
  },
  {
    provide: ImportFiles,
    inject: [Storage, Clock],
    useFactory: (storage: Storage, clock: Clock): Promise<ImportFiles> =>
      storage.choose<Promise<ImportFiles>>({
        embedded: async (database) => new EmbeddedImportFiles(database),
        production: ({ elastic }) => ElasticImportFiles.open(elastic, clock),
      }),
  },
];

/**
 * What shoppers do, and what follows from it. Needs CatalogRecords, Documents, JobQueue, StoresService, Secrets, Clock and a
 * TrendSink from modules that are global.
 */
@Global()
@Module({
  controllers: [EventsController, UsersController, BehaviourAdminController],
  providers: [
    ...adapters,
    UserHashes,
    UserAttributes,
    KnownUsers,
    EvidenceBuilder,
    EventMetrics,
    PendingEvents,
    FloodGuard,
    EventJudge,
    EventIntake,
    StatsCache,
    ProfilesService,
    VectorViews,
    ProfileJobs,
    LearnedModels,
    LearningRuntime,
    LearningService,
    ImportParts,
    EventImports,
    PersonalData,
    UserJobs,
    UserRecords,
    UsersService,
    BehaviourRecords,
    BehaviourService,
  ],
  exports: [
    BehaviourService,
    ProfilesService,
    LearningService,
    EventLog,
    ProfileStore,
    LearnedStats,
    EventIntake,
    UsersService,
    PersonalData,
  ],
})
export class BehaviourModule {}
