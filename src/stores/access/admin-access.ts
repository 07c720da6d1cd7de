import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { CallerRefuses } from '../../http/openapi/answers';
import { WhileAnswering } from '../../http/while-answering';
import { ADMIN_RULE, AdminAccessGuard, type AdminRequest, type AdminRule } from './admin-access.guard';
import type { Admin, AdminRole } from './admin-tokens';
import { AuditInterceptor } from './audit.interceptor';
import type { Store } from '../store';

/**
 * Only an admin token may call: `ops` routes take ops tokens, `relevance` routes both. A token bound to a store is kept
 * to the routes with its `:apiKey`, unless `boundToo`. 401, 403, 404 for an unknown store. Every call but GET is
 * audited, unless `audited` is false. 503 where the storage does not answer; the change may have been made all the same.
 */
export function AdminAccess(
  role: AdminRole,
  options: Partial<Omit<AdminRule, 'role'>> = {},
): ClassDecorator & MethodDecorator {
  const rule: AdminRule = { role, boundToo: false, audited: true, ...options };
  return applyDecorators(
    SetMetadata(ADMIN_RULE, rule),
    UseGuards(AdminAccessGuard),
    UseInterceptors(WhileAnswering, AuditInterceptor),
    ApiBearerAuth(),
    CallerRefuses('missing_authentication', 'invalid_token', 'forbidden', 'not_found', 'too_many_requests'),
  );
}

/** The store that `:apiKey` of the route names. */
export const AdminStore = createParamDecorator((_data: unknown, context): Store => admitted(context, 'adminStore'));

/** The admin that `AdminAccess` let in. */
export const CurrentAdmin = createParamDecorator((_data: unknown, context): Admin => admitted(context, 'admin'));

function admitted<K extends 'admin' | 'adminStore'>(context: ExecutionContext, name: K): NonNullable<AdminRequest[K]> {
  const value = context.switchToHttp().getRequest<AdminRequest>()[name];
  if (!value) throw new Error('The route has no AdminAccess, or names no store by :apiKey');
  return value;
}
