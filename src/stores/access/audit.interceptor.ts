import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Observable, mergeMap } from 'rxjs';
import { Reflector } from '@nestjs/core';
import { Secrets } from '../../config/secrets';
import { keyedName } from '../../shared/keyed-hash';
import { ADMIN_RULE, type AdminRequest, type AdminRule } from './admin-access.guard';
import { Audit } from './audit';

/** Characters of JSON up to which the body of a change is kept. */
const MOST = 8192;

const PERSONS: ReadonlySet<string> = new Set(['userId', 'deviceId', 'user', 'users', 'identity']);

type RequestValues = Readonly<Record<string, unknown>>;

/** Writes every change made through an admin route to the audit list, before it is answered. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly hash: (id: string) => string;

  constructor(
    private readonly audit: Audit,
    private readonly reflector: Reflector,
    secrets: Secrets,
  ) {
    this.hash = keyedName(secrets.adminSecret, 'audited persons');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AdminRequest>();
    const targets = [context.getHandler(), context.getClass()];
    const { audited } = this.reflector.getAllAndOverride<AdminRule>(ADMIN_RULE, targets);
    if (!audited || request.method === 'GET' || request.method === 'HEAD') return next.handle();
    return next.handle().pipe(
      mergeMap(async (reply: unknown) => {
        await this.write(request, reply);
        return reply;
      }),
    );
  }

  private async write(request: AdminRequest, reply: unknown): Promise<void> {
    const { admin, adminStore } = request;
    if (!admin) return;
    const body = this.bodyOf(request.body);
    const sent = { ...(request.params as object), ...(request.query as object) };
    const { apiKey, ...parameters } = this.hidePersons(sent as RequestValues);
    const entry = {
      by: { jti: admin.jti, role: admin.role },
      action: `${request.method} ${request.routeOptions.url ?? ''}`,
      store: adminStore?.apiKey ?? createdStore(reply) ?? null,
      parameters: adminStore ? parameters : { ...parameters, ...(apiKey === undefined ? {} : { apiKey }) },
      ...(body === undefined ? {} : { body }),
    };
    await this.audit.record(entry, adminStore);
  }

  private bodyOf(body: unknown): unknown {
    if (body === undefined || body === null || (typeof body === 'object' && 'pipe' in body)) return undefined;
    const text = JSON.stringify(body);
    if (text.length > MOST) return `${text.length} characters of JSON`;
    return typeof body === 'object' && !Array.isArray(body) ? this.hidePersons(body as RequestValues) : body;
  }

  /**
   * Replaces ids of users and devices by `person:<keyed hash>`. Whoever knows the id finds what was done about them in the audit list,
   * and nothing has to be taken out of the list when they are erased.
   */
  private hidePersons(values: RequestValues): Record<string, unknown> {
    const nameOf = (id: unknown): unknown =>
      Array.isArray(id) ? id.map(nameOf) : `person:${this.hash(typeof id === 'string' ? id : JSON.stringify(id))}`;
    const entries = Object.entries(values).map(([name, value]) => [name, PERSONS.has(name) ? nameOf(value) : value]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
}

/** A store made without an apiKey in the body gets one, and the reply names it. */
function createdStore(reply: unknown): string | undefined {
  const { apiKey } = Object(reply) as { apiKey?: unknown };
  return typeof apiKey === 'string' ? apiKey : undefined;
}
