import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../../config/settings';
import { ApiError } from '../../shared/api-error';
import { type Admin, type AdminRole, AdminTokens, storeOf } from './admin-tokens';
import { bearerToken } from './bearer';
import { CallLimits } from './call-limits';
import { assertOwnPage, sentSession, sessionCookie } from './console/console-requests';
import { ConsoleSessions } from './console/console-sessions';
import type { Store } from '../store';
import { StoresService } from '../stores.service';

export const ADMIN_RULE = 'vitrine:admin-rule';

export interface AdminRule {
  role: AdminRole;
  /** Whether a token bound to one store may call a route that names none; the route then shows that store alone. */
  boundToo: boolean;
  /** False for a route other than GET that changes nothing. */
  audited: boolean;
}

/** The id of no store: what a token is for that was issued for one which is gone. */
const NO_STORE = '';

export interface AdminRequest extends FastifyRequest {
  /** Of a token for one store, `storeId` is that store, for tokens of before too. */
  admin?: Admin;
  adminStore?: Store;
}

/** Admin tokens and sessions of the console, their role and their store; resolves the `:apiKey` of the route. */
@Injectable()
export class AdminAccessGuard implements CanActivate {
  constructor(
    private readonly tokens: AdminTokens,
    private readonly stores: StoresService,
    private readonly limits: CallLimits,
    private readonly sessions: ConsoleSessions,
    private readonly settings: Settings,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AdminRequest>();
    const targets = [context.getHandler(), context.getClass()];
    const rule = this.reflector.getAllAndOverride<AdminRule>(ADMIN_RULE, targets);
    const admin = await this.identify(request, context.switchToHttp().getResponse<FastifyReply>());
    if (rule.role === 'ops' && admin.role !== 'ops') throw new ApiError('forbidden', 'The role ops is required');
    const isBound = admin.store !== undefined;
    const own = isBound ? (storeOf(admin, this.stores) ?? NO_STORE) : null;
    request.admin = own === null ? admin : { ...admin, storeId: own };
    const { apiKey } = request.params as { apiKey?: string };
    if (apiKey === undefined) {
      if (!isBound || rule.boundToo) return true;
      throw new ApiError('forbidden', 'This token is for one store, and the route is for all');
    }
    const store = this.stores.byApiKey(apiKey);
    if (isBound && (store ? store.id !== own : admin.store !== apiKey)) {
      throw new ApiError('forbidden', 'This token is for another store');
    }
    if (!store) throw new ApiError('not_found', `There is no store "${apiKey}"`);
    request.adminStore = store;
    return true;
  }

  private async identify(request: AdminRequest, reply: FastifyReply): Promise<Admin> {
    const token = bearerToken(request.headers);
    if (token !== null && this.tokens.verify(token)) {
      // Admins are few, and what one replica has told them holds on all: also that this token is revoked, or the store gone.
      await this.tokens.catchUp();
      const admin = this.tokens.verify(token);
      if (admin) return admin;
    }
    const signedIn = token === null ? await this.signedIn(request, reply) : null;
    if (signedIn) return signedIn;
    const headers = { 'www-authenticate': 'Bearer realm="admin"' };
    const error = token
      ? new ApiError('invalid_token', 'The admin token is malformed, expired, revoked or not ours', { headers })
      : new ApiError('missing_authentication', 'An admin token is required: Authorization: Bearer <token>', {
          headers,
        });
    throw await this.limits.failed(request.ip, error);
  }

  /** By the cookie of the console, which a browser also sends for pages that are not ours. */
  private async signedIn(request: AdminRequest, reply: FastifyReply): Promise<Admin | null> {
    const id = sentSession(request);
    const session = id === null ? null : await this.sessions.find(id);
    if (!session) return null;
    assertOwnPage(request, this.settings, { safe: request.method === 'GET' || request.method === 'HEAD' });
    if (session.renewed) {
      const seconds = this.sessions.secondsLeft(session);
      void reply.header('set-cookie', sessionCookie(session.id, seconds, this.settings));
    }
    return session.admin;
  }
}
