import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { CallerRefuses } from '../../http/openapi/answers';
import type { Caller } from '../store';
import {
  STORE_INTERFACE,
  StoreAccessGuard,
  type StoreInterface,
  type StoreRequest,
  takesOrigin,
} from './store-access.guard';

/**
 * Only a store may call: by a whitelisted Origin (`events`, `search`, `showcase`, `conversion`) or by its keys (all). Keys come in the
 * body (`search`, `showcase`, `conversion`: in the query) or as the headers `x-api-key` and `x-secret-key`. 400 conflicting_keys, 401, 403, 429.
 */
export function StoreAccess(name: StoreInterface): ClassDecorator & MethodDecorator {
  return applyDecorators(
    SetMetadata(STORE_INTERFACE, name),
    UseGuards(StoreAccessGuard),
    ApiHeader({ name: 'x-api-key', required: false }),
    ApiHeader({ name: 'x-secret-key', required: false }),
    CallerRefuses(
      ...(['conflicting_keys', 'invalid_keys', 'missing_authentication', 'too_many_requests'] as const),
      ...(takesOrigin(name) ? (['origin_not_allowed'] as const) : []),
    ),
  );
}

/** The Caller that `StoreAccess` let in. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<StoreRequest>();
  if (!caller) throw new Error('CurrentCaller needs StoreAccess on the route');
  return caller;
});
