import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const OPEN_ROUTE = 'vitrine:open-route';

/** Anybody may call this route, for this reason. Every route declares this or a guard (test/e2e/access). */
export const OpenRoute = (reason: string): CustomDecorator => SetMetadata(OPEN_ROUTE, reason);

/** The same for a route without a controller. */
export const openRoute = (reason: string): { config: Record<string, string> } => ({ config: { [OPEN_ROUTE]: reason } });
