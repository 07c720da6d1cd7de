import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { StoresService } from '../stores/stores.service';
import { BehaviourAdminController } from './behaviour-admin.controller';
import { ElasticEventLog } from './events/adapters/elastic/elastic-event-log';
import { EmbeddedEventLog } from './events/adapters/embedded/embedded-event-log';
import { InProcessDeduplicator } from './events/adapters/embedded/in-process-deduplicator';
import { RedisDeduplicator } from './events/adapters/redis/redis-deduplicator';
import { EventIntake } from './events/event-intake';
import { EventJudge } from './events/event-judge';
import { EventLog } from './events/event-log';
import { EventMetrics } from './events/event-metrics';
import { EventsController } from './events/events.controller';
import { EvidenceBuilder } from './events/evidence-builder';
import { EventImports } from './events/imports/event-imports';
import { PendingEvents } from './events/pending-events';
import { Deduplicator } from './events/deduplicator';
import { ElasticLearnedStats } from './learning/adapters/elastic/elastic-learned-stats';
import { ElasticModelLearner } from './learning/adapters/elastic/elastic-model-learner';
import { EmbeddedLearnedStats } from './learning/adapters/embedded/embedded-learned-stats';
import { EmbeddedModelLearner } from './learning/adapters/embedded/embedded-model-learner';
import { CatalogShares } from './learning/catalog-shares';
import { LearnedModels } from './learning/learned-models';
import { LearnedStats } from './learning/learned-stats';
import { LearningOnActivation } from './learning/learning-on-activation';
import { LearningOnCatalog } from './learning/learning-on-catalog';
import { LearningService } from './learning/learning.service';
import { ModelLearner } from './learning/model-learner';
import { StatsCache } from './learning/stats-cache';
import { EmbeddedProfileStore } from './profiles/adapters/embedded/embedded-profile-store';
import { RedisProfileStore } from './profiles/adapters/redis/redis-profile-store';
import { ProfileJobs } from './profiles/profile-jobs';
import { ProfileStore } from './profiles/profile-store';
import { PastProfiles } from './profiles/past-profiles';
import { ProfilesService } from './profiles/profiles.service';
import { WholeVectors } from './profiles/whole-vectors';
import { VectorViews } from './profiles/vector-view';
import { Retention } from './retention';
import { StoreRemoval } from './store-removal';
import { PersonalData } from './shoppers/personal-data';
import { UserAttributes } from './shoppers/user-attributes';
import { UserHashes } from './shoppers/user-hashes';
import { UserJobs } from './shoppers/user-jobs';
import { UserRecords } from './shoppers/user-records';
import { UsersController } from './shoppers/users.controller';
import { UsersService } from './shoppers/users.service';

/** Opened together: in production, profiles in Redis are made from the log in Elasticsearch. */
abstract class ShopperRecords {
  abstract readonly log: EventLog;
  abstract readonly profiles: ProfileStore;
}

/** The one place that chooses how behaviour is kept. */
const adapters = [
  adapterOf<ShopperRecords, [StoresService]>(
    ShopperRecords,
    {
      embedded: (database, clock) => ({
        log: new EmbeddedEventLog(database),
        profiles: new EmbeddedProfileStore(database, clock),
      }),
      production: async ({ elastic, redis }, clock, stores) => {
        const log = await ElasticEventLog.open(elastic, clock);
        // A search waits half of its time for a profile that has to be read from the log: the search itself is still to come.
        return { log, profiles: new RedisProfileStore(redis, log, stores, clock, elastic.timeoutMs / 2) };
      },
    },
    StoresService,
  ),
  { provide: EventLog, inject: [ShopperRecords], useFactory: ({ log }: ShopperRecords): EventLog => log },
  {
    provide: ProfileStore,
    inject: [ShopperRecords],
    useFactory: ({ profiles }: ShopperRecords): ProfileStore => profiles,
  },
  adapterOf<Deduplicator>(Deduplicator, {
    embedded: () => new InProcessDeduplicator(),
    production: ({ redis }) => new RedisDeduplicator(redis, new InProcessDeduplicator()),
  }),
  adapterOf<LearnedStats>(LearnedStats, {
    embedded: (database) => new EmbeddedLearnedStats(database),
    production: ({ elastic }) => ElasticLearnedStats.open(elastic),
  }),
  adapterOf<ModelLearner>(ModelLearner, {
    embedded: (database) => new EmbeddedModelLearner(database),
    production: ({ elastic }) => new ElasticModelLearner(elastic),
  }),
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
    EvidenceBuilder,
    EventMetrics,
    PendingEvents,
    EventJudge,
    EventIntake,
    CatalogShares,
    StatsCache,
    WholeVectors,
    ProfilesService,
    PastProfiles,
    VectorViews,
    ProfileJobs,
    LearnedModels,
    LearningService,
    LearningOnActivation,
    LearningOnCatalog,
    EventImports,
    PersonalData,
    UserJobs,
    UserRecords,
    UsersService,
    Retention,
    StoreRemoval,
  ],
  exports: [
    PendingEvents,
    ProfilesService,
    PastProfiles,
    LearningService,
    LearningOnCatalog,
    EventLog,
    ProfileStore,
    LearnedStats,
    EventIntake,
    UserAttributes,
    UserHashes,
    UsersService,
    PersonalData,
    VectorViews,
  ],
})
export class BehaviourModule {}
