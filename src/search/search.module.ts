import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { CacheInvalidation } from '../documents/cache-invalidation';
import { Documents } from '../documents/documents';
import { Settings } from '../config/settings';
import { Metrics } from '../http/health/metrics';
import { Readiness } from '../http/health/readiness';
import { elapsedBy } from '../shared/clock';
import { adapterOf } from '../storage/adapter-of';
import { StoreErasure } from '../stores/store-erasure';
import { InProcessRankingSessions } from './sessions/adapters/embedded/in-process-ranking-sessions';
import { RedisRankingSessions } from './sessions/adapters/redis/redis-ranking-sessions';
import { AutocompleteController } from './autocomplete/autocomplete.controller';
import { AutocompleteService } from './autocomplete/autocomplete.service';
import { SearchClicksController } from './clicks/search-clicks.controller';
import { SearchClicksService } from './clicks/search-clicks.service';
import { Executions } from '../engine/executions';
import { ElasticSearchEngine } from '../engine/adapters/elastic/elastic-search-engine';
import { DocumentedIndices } from '../engine/adapters/elastic/mapping/documented-indices';
import { LocationDirectory } from '../engine/adapters/elastic/locations/location-directory';
import { EmbeddedSearchEngine } from '../engine/adapters/embedded/embedded-search-engine';
import { watchSearchThread } from '../engine/adapters/embedded/watch-search-thread';
import type { SearchThread } from '../engine/adapters/embedded/thread/search-thread';
import { IndexHealth, OneIndex } from '../engine/index-health';
import { SearchEngine } from '../engine/search-engine';
import { CategoryNames } from './facets/category-names';
import { FacetRegistry } from './facets/facet-registry';
import { Interleaver } from './interleaving/interleaver';
import { PersonalRanking } from './sessions/personal-ranking';
import { RankingSessions } from './sessions/ranking-sessions';
import { ElasticQueryTerms } from './terms/adapters/elastic/elastic-query-terms';
import { EmbeddedQueryTerms } from './terms/adapters/embedded/embedded-query-terms';
import { CategoryPages } from './listings/category-pages';
import { ListingsController } from './listings/listings.controller';
import { ListAnswers } from './list-answers';
import { ListingsService } from './listings/listings.service';
import { ElasticSearchLog } from './log/adapters/elastic/elastic-search-log';
import { EmbeddedSearchLog } from './log/adapters/embedded/embedded-search-log';
import { FollowedSearches } from './log/followed-searches';
import { LoggedQueries } from './log/logged-queries';
import { SearchLogUpkeep } from './log/log-upkeep';
import { NotedSearches } from './log/noted-searches';
import { SearchHistory } from './log/search-history';
import { SearchLog } from './log/search-log';
import { SearchSampling } from './log/search-sampling';
import { SearchMetricsController } from './metrics/metrics.controller';
import { SearchMetricsService } from './metrics/search-metrics.service';
import { MerchandisingController } from './merchandising/merchandising.controller';
import { Merchandising } from './merchandising/merchandising.service';
import { AddressHints } from './terms/address-hints';
import { OfferedTerms } from './terms/offered-terms';
import { QueryTerms } from './terms/query-terms';
import { TermsInChannels } from './terms/terms-in-channels';
import { FilterReplies } from './reply/filter-replies';
import { KeptProducts } from './reply/kept-products';
import { SearchReplies } from './reply/search-reply';
import { SearchController } from './search.controller';
import { ProductFinder } from './product-finder';
import { QueryUnderstanding } from './query-understanding';
import { WarmUp } from './warm-up';
import { SearchService } from './search.service';
import { QuerySubjects } from './subjects/query-subjects';
import { SubjectLearning } from './subjects/subject-learning';
import { StoreHealth } from './store-health';

/** Writes counted query terms when the application ends, and forgets what belonged to an erased store. */
@Injectable()
class SearchLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(SearchEngine) private readonly engine: SearchEngine,
    @Inject(QueryTerms) private readonly queryTerms: QueryTerms,
    private readonly facets: FacetRegistry,
    private readonly erasure: StoreErasure,
  ) {}

  onModuleInit(): void {
    this.erasure.add('search', async (store) => {
      await this.queryTerms.removeStore(store);
      await this.engine.removeStore(store);
      this.facets.forget(store);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queryTerms.close();
  }
}

/** What other rooms search and read with. */
const forOthers = [
  SearchEngine,
  IndexHealth,
  SearchLog,
  QueryUnderstanding,
  ProductFinder,
  PersonalRanking,
  CategoryNames,
  FacetRegistry,
];

const controllers = [
  SearchClicksController,
  SearchController,
  ListingsController,
  AutocompleteController,
  MerchandisingController,
  SearchMetricsController,
];

/** What is noted of searches, and what is made of it. */
const searchLog = [
  adapterOf<SearchLog>(SearchLog, {
    embedded: (database) => new EmbeddedSearchLog(database),
    production: ({ elastic }) => ElasticSearchLog.open(elastic),
  }),
  SearchSampling,
  NotedSearches,
  FollowedSearches,
  SearchHistory,
  SearchLogUpkeep,
  LoggedQueries,
  SearchMetricsService,
  QuerySubjects,
  SubjectLearning,
];

/** What needs nothing but other services. */
const services = [
  CategoryNames,
  FacetRegistry,
  AddressHints,
  OfferedTerms,
  Merchandising,
  CategoryPages,
  ListAnswers,
  ListingsService,
  TermsInChannels,
  PersonalRanking,
  Interleaver,
  FilterReplies,
  KeptProducts,
  SearchReplies,
  QueryUnderstanding,
  ProductFinder,
  SearchService,
  AutocompleteService,
  SearchClicksService,
  SearchLifecycle,
  WarmUp,
];

/** The search paths and the engine, which the catalog writes to. Needs StoresModule, BehaviourModule and CatalogModule. */
@Global()
@Module({})
export class SearchModule {
  /** `thread`: one that runs already. */
  static forRoot({ thread }: { thread: SearchThread | undefined }): DynamicModule {
    return {
      module: SearchModule,
      controllers,
      providers: [
        adapterOf<SearchEngine, [Documents, CacheInvalidation, Readiness, Metrics, Settings]>(
          SearchEngine,
          {
            embedded: async (database, clock, ...[, , readiness, metrics]) => {
              const engine = await EmbeddedSearchEngine.open(database, { clock, ...(thread ? { thread } : {}) });
              watchSearchThread(engine.thread, readiness, metrics);
              engine.executions.watch(metrics);
              return engine;
            },
            production: (
              { elastic },
              clock,
              ...[documents, caches, , metrics, { keptSearchesBytes: keptBytes, role }]
            ) => {
              const memory = new DocumentedIndices(documents);
              const directory = new LocationDirectory(documents, caches);
              const engine = new ElasticSearchEngine(elastic, clock, {
                memory,
                directory,
                keptBytes,
                executions: new Executions(role === 'worker'),
              });
              engine.executions.watch(metrics);
              engine.kept?.watch(metrics);
              return engine;
            },
          },
          Documents,
          CacheInvalidation,
          Readiness,
          Metrics,
          Settings,
        ),
        {
          provide: IndexHealth,
          inject: [SearchEngine],
          useFactory: (engine: SearchEngine): IndexHealth =>
            engine instanceof ElasticSearchEngine ? engine.health : new OneIndex(),
        },
        StoreHealth,
        adapterOf<QueryTerms>(QueryTerms, {
          embedded: (database, clock) => new EmbeddedQueryTerms(database, clock),
          production: ({ elastic }, clock) => ElasticQueryTerms.open(elastic, clock),
        }),
        adapterOf<RankingSessions>(RankingSessions, {
          embedded: (_database, clock) => new InProcessRankingSessions(() => elapsedBy(clock)),
          production: ({ redis }, clock) => new RedisRankingSessions(redis, clock),
        }),
        ...searchLog,
        ...services,
      ],
      exports: forOthers,
    };
  }
}
