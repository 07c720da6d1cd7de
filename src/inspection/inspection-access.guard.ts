import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiError } from '../shared/api-error';
import { bearerToken } from '../stores/access/bearer';
import { CallLimits } from '../stores/access/call-limits';
import type { StoreRequest } from '../stores/access/store-access';
import { InspectionTokens } from './inspection-tokens';

const REALM = 'Bearer realm="inspection"';

/** Inspection tokens. Puts the Caller on the request: the token stands for the keys it was traded for. */
@Injectable()
export class InspectionAccessGuard implements CanActivate {
  constructor(
    private readonly tokens: InspectionTokens,
    private readonly limits: CallLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StoreRequest>();
    const token = bearerToken(request.headers);
    const store = token === null ? null : await this.tokens.verifyNow(token);
    // Counted against the address alone: a stranger must not use up what the store may.
    if (!store) throw await this.limits.failed(request.ip, token === null ? missing() : invalid());
    request.caller = { store, method: 'keys', address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    return true;
  }
}

const missing = (): ApiError =>
  new ApiError(
    'missing_authentication',
    'A token is required: get one from POST /authenticate and send it as Authorization: Bearer <token>',
    { headers: { 'www-authenticate': REALM } },
  );

const invalid = (): ApiError =>
  new ApiError('invalid_token', 'The token is malformed, expired, not for inspection, or its secretKey is dead', {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token"` },
  });
