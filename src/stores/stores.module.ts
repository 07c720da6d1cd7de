import { Global, Module } from '@nestjs/common';
import { Storage } from '../storage/storage';
import { InProcessRateWindows } from './adapters/embedded/in-process-rate-windows';
import { RedisRateWindows } from './adapters/redis/redis-rate-windows';
import { HashedAddresses } from './address-key';
import { AdminAccessGuard } from './admin-access.guard';
import { AdminTokens } from './admin-tokens';
import { Audit } from './audit';
import { AuditInterceptor } from './audit.interceptor';
import { CallLimits } from './call-limits';
import { PersonNames } from './person-name';
import { RateWindows } from './rate-windows';
import { StoreAccessGuard } from './store-access.guard';
import { StoreErasure } from './store-erasure';
import { StoresService } from './stores.service';

const shared = [
  {
    provide: RateWindows,
    inject: [Storage],
    useFactory: (storage: Storage): RateWindows =>
      storage.choose<RateWindows>({
        embedded: () => new InProcessRateWindows(),
        production: ({ redis }) => new RedisRateWindows(redis, new InProcessRateWindows()),
      }),
  },
  StoresService,
  StoreErasure,
  HashedAddresses,
  CallLimits,
  StoreAccessGuard,
  AdminTokens,
  AdminAccessGuard,
  Audit,
  PersonNames,
  AuditInterceptor,
];

/** Stores and who may call, for every capability's controllers. Needs Storage, Documents, Settings, Secrets and Clock. */
@Global()
@Module({ providers: shared, exports: shared })
export class StoresModule {}
