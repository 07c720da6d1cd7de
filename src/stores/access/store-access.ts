import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/api-error';
import { first } from '../../http/fields';
import { CallerRefuses } from '../../http/openapi/answers';
import type { QueryValues } from '../../http/query-string';
import { refuseStream } from '../../http/validation';
import { CallLimits } from './call-limits';
import { decoded, type KeySource, readKeys, type SentKeys } from './sent-keys';
import type { Caller, Store } from '../store';
import { StoresService } from '../stores.service';

export const STORE_INTERFACE = 'vitrine:store-interface';

/** The interfaces a store calls: where their keys may stand, and whether a whitelisted Origin is enough. */
const interfaces = {
  events: { source: 'body', origin: true },
  search: { source: 'query', origin: true },
  showcase: { source: 'query', origin: true },
  /** An image: Referer names its page, or a client's own X-Origin. */
  conversion: { source: 'query', origin: true },
  catalog: { source: 'body', origin: false },
  users: { source: 'body', origin: false },
  inspection: { source: 'body', origin: false },
} as const satisfies Record<string, { source: KeySource; origin: boolean }>;

export type StoreInterface = keyof typeof interfaces;

/** Of a caller that was not found, not of one that said nothing of itself. */
const UNKNOWN_CALLER: ReadonlySet<string> = new Set(['invalid_keys', 'origin_not_allowed']);

/** Whether a page of the store may call it, without keys. */
const takesOrigin = (name: StoreInterface): boolean => interfaces[name].origin;

export interface StoreRequest extends FastifyRequest {
  caller?: Caller;
}

/** Browsers send no Origin where a page asks its own: of these interfaces a parameter may say it (contract 2). */
const NAMES_ORIGIN: readonly StoreInterface[] = ['search', 'showcase'];

/** The Origin of the page that calls; without one, what its parameter says. */
function pageOf({ headers, query }: StoreRequest, name: StoreInterface): string | undefined {
  if (headers.origin) return headers.origin;
  if (NAMES_ORIGIN.includes(name)) {
    const named = first((Object(query) as QueryValues)['origin']);
    return typeof named === 'string' ? named : undefined;
  }
  if (name !== 'conversion') return undefined;
  const named = headers['x-origin'];
  if (typeof named === 'string' && named !== '') return named;
  return headers.referer && URL.canParse(headers.referer) ? new URL(headers.referer).origin : undefined;
}

/**
 * Finds out who is calling, and puts the Caller on the request. A secretKey decides alone; without one a whitelisted Origin does, where
 * the interface takes it.
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
    const targets = [context.getHandler(), context.getClass()];
    const name = this.reflector.getAllAndOverride<StoreInterface>(STORE_INTERFACE, targets);
    request.caller = await this.identify(request, name);
    await this.limits.admit(request.caller);
    return true;
  }

  private async identify(request: StoreRequest, name: StoreInterface): Promise<Caller> {
    const keys = readKeys(request, interfaces[name].source);
    if (name === 'inspection') refuseWithoutKeys(request, keys);
    const caller = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const find = (): Caller => {
      if (keys.secretKey !== undefined) return { ...this.byKeys(keys), method: 'keys', ...caller };
      if (!takesOrigin(name)) {
        throw missing('apiKey and secretKey are required, in the body or as x-api-key and x-secret-key');
      }
      return { store: this.byOrigin(keys, pageOf(request, name)), method: 'origin', ...caller };
    };
    try {
      return await this.findAgain(find);
    } catch (error) {
      throw error instanceof ApiError && error.status === 401 ? await this.limits.failed(request.ip, error) : error;
    }
  }

  /** Another replica may have taken them in a moment ago: whoever is refused for good gives up, and has lost what it sent. */
  private async findAgain(find: () => Caller): Promise<Caller> {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof ApiError) || !UNKNOWN_CALLER.has(error.code)) throw error;
      await this.stores.catchUp();
      return find();
    }
  }

  private byKeys({ apiKey = '', secretKey = '' }: SentKeys): Pick<Caller, 'store' | 'secretId'> {
    const found = this.stores.authenticate(apiKey, secretKey);
    if (found) return found;
    const again = secretKey.includes('%') ? this.stores.authenticate(apiKey, decoded(secretKey)) : undefined;
    if (again) return again;
    throw new ApiError('invalid_keys', 'These keys are not valid');
  }

  private byOrigin({ apiKey }: SentKeys, origin: string | undefined): Store {
    if (!origin) throw missing('Call from a page whose Origin is whitelisted, or send apiKey and secretKey');
    const store = this.stores.byOrigin(origin);
    if (store && (apiKey === undefined || store.apiKey === apiKey)) return store;
    throw new ApiError('origin_not_allowed', 'This Origin is not whitelisted for the store');
  }
}

const missing = (message: string): ApiError => new ApiError('missing_authentication', message);

/** A body that consists of the keys alone is no request without them. */
function refuseWithoutKeys({ body }: StoreRequest, { apiKey, secretKey }: SentKeys): void {
  refuseStream(body);
  if (apiKey === undefined && secretKey === undefined) {
    throw new ApiError('missing_keys', 'apiKey and secretKey are required, in a JSON body');
  }
}

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
