import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { CampaignsController } from './campaigns/campaigns.controller';
import { CampaignsService } from './campaigns/campaigns.service';
import { ElasticClickLedger } from './ledger/adapters/elastic/elastic-click-ledger';
import { EmbeddedClickLedger } from './ledger/adapters/embedded/embedded-click-ledger';
import { BurstGuard } from './links/burst-guard';
import { ElasticClickCredits } from './ledger/adapters/elastic/elastic-click-credits';
import { EmbeddedClickCredits } from './ledger/adapters/embedded/embedded-click-credits';
import { BudgetAlerts } from './ledger/budget-alerts';
import { ClickCredits } from './ledger/click-credits';
import { ClickLedger } from './ledger/click-ledger';
import { ClicksController } from './ledger/clicks.controller';
import { ClicksService } from './ledger/clicks.service';
import { ConversionsService } from './ledger/conversions.service';
import { InteractionRecords } from './ledger/interaction-records';
import { LedgerUpkeep } from './ledger/ledger-upkeep';
import { PlausibleAmounts } from './ledger/plausible-amounts';
import { InProcessClickWindows } from './links/adapters/embedded/in-process-click-windows';
import { RedisClickWindows } from './links/adapters/redis/redis-click-windows';
import { ClickWindows } from './links/click-windows';
import { ProductPages } from './links/product-pages';
import { ShopperInteractions } from './ledger/shopper-interactions';
import { LinkTokens } from './links/link-tokens';
import { LedgerCheck } from './metrics/ledger-check.service';
import { ShowcaseMetricsController } from './metrics/metrics.controller';
import { ShowcaseMetricsService } from './metrics/showcase-metrics.service';
import { TrafficReview } from './review/traffic-review';
import { Budgets } from './selection/budgets';
import { CatalogChanges } from './selection/catalog-changes';
import { ClickRateEstimates } from './selection/click-rate-estimates';
import { ProductSearch } from './selection/product-search';
import { RelevanceService } from './selection/relevance.service';
import { SelectionService } from './selection/selection.service';
import { InventoriesService } from './selection/inventories.service';
import { SponsoredProducts } from './selection/sponsored-products';
import { ShowcaseController } from './showcase.controller';
import { ShowcaseService } from './showcase.service';

/** Sponsored products. Needs CatalogRecords, SearchEngine, PersonalRanking, FacetRegistry and EventIntake from modules that are global. */
@Global()
@Module({
  controllers: [ShowcaseController, ClicksController, CampaignsController, ShowcaseMetricsController],
  providers: [
    adapterOf<ClickLedger>(ClickLedger, {
      embedded: (database) => new EmbeddedClickLedger(database),
      production: ({ elastic }, clock) => ElasticClickLedger.open(elastic, clock),
    }),
    adapterOf<ClickCredits>(ClickCredits, {
      embedded: (database) => new EmbeddedClickCredits(database),
      production: ({ elastic }) => ElasticClickCredits.open(elastic),
    }),
    adapterOf<ClickWindows>(ClickWindows, {
      embedded: () => new InProcessClickWindows(),
      production: ({ redis }) => new RedisClickWindows(redis, new InProcessClickWindows()),
    }),
    CampaignsService,
    LinkTokens,
    ProductPages,
    BudgetAlerts,
    InteractionRecords,
    BurstGuard,
    ClicksService,
    PlausibleAmounts,
    ConversionsService,
    LedgerUpkeep,
    TrafficReview,
    ShopperInteractions,
    CatalogChanges,
    ProductSearch,
    SponsoredProducts,
    InventoriesService,
    RelevanceService,
    ClickRateEstimates,
    Budgets,
    SelectionService,
    ShowcaseService,
    ShowcaseMetricsService,
    LedgerCheck,
  ],
  exports: [CatalogChanges, CampaignsService, ClickLedger],
})
export class ShowcaseModule {}
