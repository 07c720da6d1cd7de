import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Documents } from '../documents/documents';
import { Metrics } from '../http/health/metrics';
import { Readiness } from '../http/health/readiness';
import { elapsedBy } from '../shared/clock';
import { adapterOf } from '../storage/adapter-of';
import { StoreErasure } from '../stores/store-erasure';
import { InProcessRankingSessions } from './sessions/adapters/embedded/in-process-ranking-sessions';
import { RedisRankingSessions } from './sessions/adapters/redis/redis-ranking-sessions';
import { SearchClicksController } from './clicks/search-clicks.controller';
import { SearchClicksService } from './clicks/search-clicks.service';
import { ElasticSearchEngine } from '../engine/adapters/elastic/elastic-search-engine';
import { DocumentedIndices } from '../engine/adapters/elastic/mapping/index-memory';
import { EmbeddedSearchEngine } from '../engine/adapters/embedded/embedded-search-engine';
import { watchSearchThread } from '../engine/adapters/embedded/watch-search-thread';
import type { SearchThread } from '../engine/adapters/embedded/thread/search-thread';
import { IndexHealth, OneIndex } from '../engine/index-health';
import { SearchEngine } from '../engine/search-engine';
import { FacetRegistry } from './facets/facet-registry';
import { PersonalRanking } from './sessions/personal-ranking';
import { RankingSessions } from './sessions/ranking-sessions';
import { ElasticQueryTerms } from './terms/adapters/elastic/elastic-query-terms';
import { EmbeddedQueryTerms } from './terms/adapters/embedded/embedded-query-terms';
import { OfferedTerms } from './terms/offered-terms';
import { QueryTerms } from './terms/query-terms';
import { SearchReplies } from './reply/search-reply';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';
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

/** The search paths and the engine, which the catalog writes to. Needs StoresModule, BehaviourModule and CatalogModule. */
@Global()
@Module({})
export class SearchModule {
  /** `thread`: one that runs already. */
  static forRoot({ thread }: { thread: SearchThread | undefined }): DynamicModule {
    return {
      module: SearchModule,
      controllers: [SearchClicksController, SearchController],
      providers: [
        adapterOf<SearchEngine, [Documents, Readiness, Metrics]>(
          SearchEngine,
          {
            embedded: async (database, _clock, _documents, readiness, metrics) => {
              const engine = await EmbeddedSearchEngine.open(database, thread ? { thread } : {});
              watchSearchThread(engine.thread, readiness, metrics);
              return engine;
            },
            production: ({ elastic }, clock, documents) =>
              new ElasticSearchEngine(elastic, clock, { memory: new DocumentedIndices(documents) }),
          },
          Documents,
          Readiness,
          Metrics,
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
        FacetRegistry,
        OfferedTerms,
        PersonalRanking,
        SearchReplies,
        SearchService,
        SearchClicksService,
        SearchLifecycle,
      ],
      exports: [SearchEngine, PersonalRanking, FacetRegistry],
    };
  }
}
