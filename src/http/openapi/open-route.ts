import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const OPEN_ROUTE = 'vitrine:open-route';

/** Anybody may call, for this reason. A route says so, or who may: one that declares neither is a mistake (test/e2e/access). */
export const OpenRoute = (reason: string): CustomDecorator => SetMetadata(OPEN_ROUTE, reason);

/** The same for a route that is no controller's. */
export const openRoute = (reason: string): { config: Record<string, string> } => ({ config: { [OPEN_ROUTE]: reason } });
