import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/api-error';
import { refuseStream } from '../../http/validation';
import { CallLimits } from './call-limits';
import { decoded, type KeyPlace, readKeys, type SentKeys } from './sent-keys';
import type { Caller, Store } from '../store';
import { StoresService } from '../stores.service';

export const STORE_INTERFACE = 'vitrine:store-interface';

interface StoreInterfaceRule {
  place: KeyPlace;
  /** Whether a whitelisted Origin is enough. */
  origin: boolean;
  /** Whether the body is made of the keys alone, so that without them it is no request at all. */
  keysAlone?: boolean;
}

/** The interfaces a store calls. */
const interfaces = {
  events: { place: 'body', origin: true },
  search: { place: 'query', origin: true },
  showcase: { place: 'query', origin: true },
  /** An image: its page is named by Referer, or by a client's own X-Origin. */
  conversion: { place: 'query', origin: true },
  catalog: { place: 'body', origin: false },
  users: { place: 'body', origin: false },
  inspection: { place: 'body', origin: false, keysAlone: true },
} as const satisfies Record<string, StoreInterfaceRule>;

export type StoreInterface = keyof typeof interfaces;

/** Whether a page of the store may call it, without keys. */
export const takesOrigin = (name: StoreInterface): boolean => interfaces[name].origin;

export interface StoreRequest extends FastifyRequest {
  caller?: Caller;
}

/** Where the page is that calls. */
function pageOf({ headers }: StoreRequest, name: StoreInterface): string | undefined {
  if (name !== 'conversion' || headers.origin) return headers.origin;
  const named = headers['x-origin'];
  if (typeof named === 'string' && named !== '') return named;
  return headers.referer && URL.canParse(headers.referer) ? new URL(headers.referer).origin : undefined;
}

const invalidKeys = (): ApiError => new ApiError('invalid_keys', 'These keys are not valid');

/**
 * Who is calling. A secretKey decides alone; without one a whitelisted Origin does, where the interface takes it.
 * Puts the Caller on the request.
 */
@Injectable()
export class StoreAccessGuard implements CanActivate {
  constructor(
    private readonly stores: StoresService,
    private readonly limits: CallLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<StoreRequest>();
    const name = this.reflector.getAllAndOverride<StoreInterface>(STORE_INTERFACE, [
      context.getHandler(),
      context.getClass(),
    ]);
    request.caller = await this.identify(request, name);
    await this.limits.admit(request.caller);
    return true;
  }

  private async identify(request: StoreRequest, name: StoreInterface): Promise<Caller> {
    const { place, origin, keysAlone = false }: StoreInterfaceRule = interfaces[name];
    const keys = readKeys(request, place);
    if (keysAlone) refuseStream(request.body);
    if (keysAlone && keys.apiKey === undefined && keys.secretKey === undefined) {
      throw new ApiError('missing_keys', 'apiKey and secretKey are required, in a JSON body');
    }
    const caller = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    try {
      if (keys.secretKey !== undefined) return { ...this.byKeys(keys), method: 'keys', ...caller };
      if (!origin) {
        throw new ApiError(
          'missing_authentication',
          'apiKey and secretKey are required, in the body or as x-api-key and x-secret-key',
        );
      }
      return { store: this.byOrigin(keys, pageOf(request, name)), method: 'origin', ...caller };
    } catch (error) {
      throw error instanceof ApiError && error.status === 401 ? await this.limits.failed(request.ip, error) : error;
    }
  }

  private byKeys({ apiKey, secretKey = '' }: SentKeys): Pick<Caller, 'store' | 'secretId'> {
    const found =
      this.stores.authenticate(apiKey ?? '', secretKey) ??
      (secretKey.includes('%') ? this.stores.authenticate(apiKey ?? '', decoded(secretKey)) : undefined);
    if (!found) throw invalidKeys();
    return found;
  }

  private byOrigin({ apiKey }: SentKeys, origin: string | undefined): Store {
    if (!origin) {
      throw new ApiError(
        'missing_authentication',
        'Call from a page whose Origin is whitelisted, or send apiKey and secretKey',
      );
    }
    const store = this.stores.byOrigin(origin);
    if (!store || (apiKey !== undefined && store.apiKey !== apiKey)) {
      throw new ApiError('origin_not_allowed', 'This Origin is not whitelisted for the store');
    }
    return store;
  }
}
