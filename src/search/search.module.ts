import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../shared/clock';
import { Storage } from '../storage/storage';
import { StoreErasure } from '../stores/store-erasure';
import { InProcessRankingSessions } from './sessions/adapters/embedded/in-process-ranking-sessions';
import { RedisRankingSessions } from './sessions/adapters/redis/redis-ranking-sessions';
import { SearchClicksController } from './clicks/search-clicks.controller';
import { SearchClicksService } from './clicks/search-clicks.service';
import { ElasticSearchEngine } from '../engine/adapters/elastic/elastic-search-engine';
import { EmbeddedSearchEngine } from '../engine/adapters/embedded/embedded-search-engine';
import type { SearchThread } from '../engine/adapters/embedded/thread/search-thread';
import { SearchEngine } from '../engine/search-engine';
import { FacetRegistry } from './facets/facet-registry';
import { PersonalRanking } from './sessions/personal-ranking';
import { RankingSessions } from './sessions/ranking-sessions';
import { ElasticQueryTerms } from './terms/adapters/elastic/elastic-query-terms';
import { EmbeddedQueryTerms } from './terms/adapters/embedded/embedded-query-terms';
import { QueryTerms } from './terms/query-terms';
import { SearchReplies } from './reply/search-reply';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';

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

/** A port, and how its adapter is chosen. */
function chosen<T>(
  provide: abstract new (...parts: never[]) => T,
  useFactory: (storage: Storage, clock: Clock) => T | Promise<T>,
) {
  return { provide, inject: [Storage, Clock], useFactory };
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
        chosen(SearchEngine, (storage, clock) =>
          storage.choose<Promise<SearchEngine>>({
            embedded: (database) => EmbeddedSearchEngine.open(database, thread ? { thread } : {}),
            production: async ({ elastic }) => new ElasticSearchEngine(elastic, clock),
          }),
        ),
        chosen(QueryTerms, (storage, clock) =>
          storage.choose<Promise<QueryTerms>>({
            embedded: async (database) => new EmbeddedQueryTerms(database, clock),
            production: ({ elastic }) => ElasticQueryTerms.open(elastic, clock),
          }),
        ),
        chosen(RankingSessions, (storage, clock) =>
          storage.choose<RankingSessions>({
            embedded: () => new InProcessRankingSessions(() => clock.now()),
            production: ({ redis }) => new RedisRankingSessions(redis, clock),
          }),
        ),
        FacetRegistry,
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
