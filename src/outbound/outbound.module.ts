import { Global, Module } from '@nestjs/common';
import { HostResolver, SystemHostResolver } from './host-resolver';
import { OutboundRequests } from './outbound-requests';

/** Requests to servers of others, for every capability. */
@Global()
@Module({
  providers: [
    { provide: HostResolver, useClass: SystemHostResolver },
    {
      provide: OutboundRequests,
      inject: [HostResolver],
      useFactory: (resolver: HostResolver) => new OutboundRequests(resolver),
    },
  ],
  exports: [OutboundRequests],
})
export class OutboundModule {}
