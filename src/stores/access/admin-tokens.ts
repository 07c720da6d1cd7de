import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { z } from 'zod';
import { Clock } from '../../shared/clock';
import { Secrets } from '../../config/secrets';
import { Documents } from '../../documents/documents';
import { CacheInvalidation, type SharedCache } from '../../documents/cache-invalidation';

export const adminRoles = ['ops', 'relevance'] as const;
export type AdminRole = (typeof adminRoles)[number];

const adminSchema = z.object({
  /** Names the token, in the audit list and to revoke it. */
  jti: z.string().min(1).max(128),
  role: z.enum(adminRoles),
  /** The apiKey of the only store the token is for. */
  store: z.string().exactOptional(),
});
/** Who is calling an admin route. */
export type Admin = z.output<typeof adminSchema>;

const claims = adminSchema.extend({ exp: z.number() }).transform(({ exp: _exp, ...admin }): Admin => admin);

const AUDIENCE = 'admin';

/** Signs an admin token; also what the command line does, with no service running. Lives `days`, counted from `now` (ms). */
export function signAdminToken(
  secrets: Secrets,
  admin: Omit<Admin, 'jti'>,
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
  private readonly jwt = new JwtService();
  private readonly revoked = new Set<string>();
  private readonly cache: SharedCache;

  constructor(
    private readonly documents: Documents,
    invalidation: CacheInvalidation,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.cache = invalidation.cache('admin-tokens', async () => {
      for (const { id } of await documents.list({ kind: 'revoked-token', store: '*' })) this.revoked.add(id);
    });
  }

  async onModuleInit(): Promise<void> {
    await this.cache.open();
  }

  /** Null for a token that is no admin token of ours, has expired or was revoked. */
  verify(token: string): Admin | null {
    for (const secret of this.secrets.adminSecret) {
      const parsed = claims.safeParse(this.payload(token, secret));
      if (!parsed.success) continue;
      return this.revoked.has(parsed.data.jti) ? null : parsed.data;
    }
    return null;
  }

  /** The token dies at once, on other replicas within a second; revoking it again, or one nobody issued, is no error. */
  async revoke(jti: string): Promise<void> {
    const body = { at: new Date(this.clock.now()).toISOString() };
    await this.documents.put([{ store: '*', kind: 'revoked-token', id: jti, body }]);
    this.revoked.add(jti);
    await this.cache.invalidate();
  }

  private payload(token: string, secret: string): unknown {
    try {
      const clockTimestamp = Math.floor(this.clock.now() / 1000);
      return this.jwt.verify(token, { secret, algorithms: ['HS256'], audience: AUDIENCE, clockTimestamp });
    } catch {
      return null;
    }
  }
}
