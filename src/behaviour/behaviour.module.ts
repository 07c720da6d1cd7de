import { Global, Module } from '@nestjs/common';
import { Clock } from '../clock';
import { embeddedOnly, Storage } from '../storage/storage';
import { BehaviourAdminController } from './behaviour-admin.controller';
import { BehaviourRecords, BehaviourService } from './behaviour.service';
import { EmbeddedEventLog } from './events/adapters/embedded/embedded-event-log';
import { EventIntake } from './events/event-intake';
import { EventLog } from './events/event-log';
import { EventsController } from './events/events.controller';
import { EvidenceBuilder } from './events/evidence-builder';
import { EmbeddedImportFiles } from './events/imports/adapters/embedded/embedded-import-files';
import { EventImports, ImportParts } from './events/imports/event-imports';
import { ImportFiles } from './events/imports/import-files';
import { PendingEvents } from './events/pending-events';
import { EmbeddedLearnedStats } from './learning/adapters/embedded/embedded-learned-stats';
import { EmbeddedModelLearner } from './learning/adapters/embedded/embedded-model-learner';
import { LearnedModels } from './learning/learned-models';
import { LearnedStats } from './learning/learned-stats';
import { LearningRuntime, LearningService } from './learning/learning.service';
import { ModelLearner } from './learning/model-learner';
import { StatsCache } from './learning/stats-cache';
import { EmbeddedProfileStore } from './profiles/adapters/embedded/embedded-profile-store';
import { ProfileJobs } from './profiles/profile-jobs';
import { ProfileStore } from './profiles/profile-store';
import { ProfilesService } from './profiles/profiles.service';
import { VectorViews } from './profiles/vector-view';
import { KnownUsers } from './users/known-users';
import { UserAttributes } from './users/user-attributes';
import { UserHashes } from './users/user-hashes';
import { UserRecords } from './users/user-records';
import { UsersController } from './users/users.controller';
import { UsersService } from './users/users.service';

/** The one place that chooses how behaviour is kept. */
const adapters = [
  {
    provide: EventLog,
    inject: [Storage],
    useFactory: (storage: Storage): EventLog =>
      storage.choose<EventLog>({ embedded: (database) => new EmbeddedEventLog(database), production: embeddedOnly }),
  },
  {
    provide: ProfileStore,
    inject: [Storage, Clock],
    useFactory: (storage: Storage, clock: Clock): ProfileStore =>
      storage.choose<ProfileStore>({
        embedded: (database) => new EmbeddedProfileStore(database, clock),
        production: embeddedOnly,
      }),
  },
  {
    provide: LearnedStats,
    inject: [Storage],
    useFactory: (storage: Storage): LearnedStats =>
      storage.choose<LearnedStats>({
        embedded: (database) => new EmbeddedLearnedStats(database),
        production: embeddedOnly,
      }),
  },
  {
    provide: ModelLearner,
    inject: [Storage],
    useFactory: (storage: Storage): ModelLearner =>
      storage.choose<ModelLearner>({
        embedded: (database) => new EmbeddedModelLearner(database),
        production: embeddedOnly,
      }),
  },
  {
    provide: ImportFiles,
    inject: [Storage],
    useFactory: (storage: Storage): ImportFiles =>
      storage.choose<ImportFiles>({
        embedded: (database) => new EmbeddedImportFiles(database),
        production: embeddedOnly,
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
    PendingEvents,
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
  ],
})
export class BehaviourModule {}
