import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { InProcessRateLimiter } from './access/adapters/embedded/in-process-rate-limiter';
import { RedisRateLimiter } from './access/adapters/redis/redis-rate-limiter';
import { HashedAddresses } from './access/address-key';
import { AdminAccessGuard } from './access/admin-access.guard';
import { AdminTokens } from './access/admin-tokens';
import { Audit } from './access/audit';
import { AuditInterceptor } from './access/audit.interceptor';
import { CallLimits } from './access/call-limits';
import { ConsoleLinks } from './access/console/console-links';
import { ConsoleSessions } from './access/console/console-sessions';
import { DailyAddresses } from './access/daily-addresses';
import { RateLimiter } from './access/rate-limiter';
import { StillAdmitted } from './access/still-admitted';
import { StoreAccessGuard } from './access/store-access';
import { BoostTemplates } from './boost-templates';
import { ChangeMetrics } from './change-metrics';
import { Experiments } from './experiments/experiments.service';
import { ServedTemplates } from './experiments/served-templates';
import { StoreErasure } from './store-erasure';
import { StorageReadiness } from './storage-readiness';
import { StoresService } from './stores.service';
import { TemplateReplays } from './templates/template-replays';
import { TemplateTunings } from './templates/template-tunings';
import { TemplateVersions } from './templates/template-versions';
import { TemplatesService } from './templates/templates.service';

const shared = [
  adapterOf<RateLimiter>(RateLimiter, {
    embedded: () => new InProcessRateLimiter(),
    production: ({ redis }) => new RedisRateLimiter(redis, new InProcessRateLimiter()),
  }),
  StoresService,
  BoostTemplates,
  TemplateVersions,
  TemplateReplays,
  TemplateTunings,
  TemplatesService,
  Experiments,
  ServedTemplates,
  StorageReadiness,
  ChangeMetrics,
  StoreErasure,
  HashedAddresses,
  DailyAddresses,
  CallLimits,
  StoreAccessGuard,
  AdminTokens,
  ConsoleLinks,
  ConsoleSessions,
  StillAdmitted,
  AdminAccessGuard,
  Audit,
  AuditInterceptor,
];

/** Stores and who may call, for every capability's controllers. Needs Storage, Documents, Readiness, Settings, Secrets and Clock. */
@Global()
@Module({ providers: shared, exports: shared })
export class StoresModule {}
