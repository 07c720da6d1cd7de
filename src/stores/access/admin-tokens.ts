import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { z } from 'zod';
import { Clock } from '../../shared/clock';
import { Secrets } from '../../config/secrets';
import { Documents } from '../../documents/documents';
import { CacheInvalidation } from '../../documents/cache-invalidation';
import type { SharedCache } from '../../documents/shared-cache';
import type { StoreDirectory } from '../store-directory';
import { jwtOf } from './jwt-of';

export const adminRoles = ['ops', 'relevance'] as const;
export type AdminRole = (typeof adminRoles)[number];

const adminSchema = z.object({
  /** Names the token, in the audit list and to revoke it. */
  jti: z.string().min(1).max(128),
  role: z.enum(adminRoles),
  /** The apiKey of the only store the token is for, as it was when the token was issued. */
  store: z.string().exactOptional(),
  /** That store itself: once it is deleted, another may have its apiKey. Absent from tokens of before, or of a store that was not there. */
  storeId: z.string().exactOptional(),
  /** When it was issued, in seconds. */
  iat: z.number(),
});
/** Who is calling an admin route. */
export type Admin = z.output<typeof adminSchema>;

/** What lists of changes call them. */
export const adminName = ({ role, jti }: Pick<Admin, 'role' | 'jti'>): string => `${role}:${jti}`;

const claims = adminSchema.extend({ exp: z.number() });

/** The store a bound token is for; null: it is gone, or was not there when the token was issued. */
export function storeOf({ store: apiKey = '', storeId, iat }: Admin, stores: StoreDirectory): string | null {
  if (storeId !== undefined) return storeId;
  const store = stores.byApiKey(apiKey);
  return store && iat >= Math.floor(Date.parse(store.createdAt) / 1000) ? store.id : null;
}

const AUDIENCE = 'admin';

/** Signs an admin token; also what the command line does, with no service running. Lives `days`, counted from `now` (ms). */
export function signAdminToken(
  secrets: Secrets,
  admin: Omit<Admin, 'jti' | 'iat'>,
  times: { now: number; days: number },
): { token: string; jti: string } {
  const jti = randomUUID();
  const iat = Math.floor(times.now / 1000);
  const payload = { ...admin, jti, iat, exp: iat + Math.round(times.days * 86_400) };
  const token = new JwtService().sign(payload, {
    secret: secrets.adminSecret[0] ?? '',
    algorithm: 'HS256',
    audience: AUDIENCE,
  });
  return { token, jti };
}

/** Verifies admin tokens and remembers the revoked ones. */
@Injectable()
export class AdminTokens implements OnModuleInit {
  private readonly jwts: readonly JwtService[];
  private readonly revoked = new Set<string>();
  private readonly cache: SharedCache;

  constructor(
    private readonly documents: Documents,
    private readonly caches: CacheInvalidation,
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.jwts = secrets.adminSecret.map(jwtOf);
    this.cache = caches.cache('admin-tokens', async () => {
      for (const { id } of await documents.list({ kind: 'revoked-token', store: '*' })) this.revoked.add(id);
    });
  }

  async onModuleInit(): Promise<void> {
    await this.cache.open();
  }

  /** Reads what was revoked elsewhere until now. */
  catchUp(): Promise<void> {
    return this.caches.refresh();
  }

  /** Null for a token that is no admin token of ours, has expired or was revoked. */
  verify(token: string): Admin | null {
    return this.read(token)?.admin ?? null;
  }

  /** The same, with when it expires (ms). */
  read(token: string): { admin: Admin; expiresAt: number } | null {
    for (const jwt of this.jwts) {
      const parsed = claims.safeParse(this.payload(token, jwt));
      if (!parsed.success) continue;
      const { exp, ...admin } = parsed.data;
      return this.isRevoked(admin.jti) ? null : { admin, expiresAt: exp * 1000 };
    }
    return null;
  }

  isRevoked(jti: string): boolean {
    return this.revoked.has(jti);
  }

  /** The token dies at once, on every replica; revoking it again, or one nobody issued, is no error. */
  async revoke(jti: string): Promise<void> {
    const body = { at: new Date(this.clock.now()).toISOString() };
    await this.documents.put([{ store: '*', kind: 'revoked-token', id: jti, body }]);
    this.revoked.add(jti);
    await this.cache.invalidate();
    await this.cache.seenByAll();
  }

  private payload(token: string, jwt: JwtService): unknown {
    try {
      const clockTimestamp = Math.floor(this.clock.now() / 1000);
      return jwt.verify(token, { algorithms: ['HS256'], audience: AUDIENCE, clockTimestamp });
    } catch {
      return null;
    }
  }
}
