import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { z } from 'zod';
import { Clock } from '../shared/clock';
import { Secrets } from '../config/secrets';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';

const AUDIENCE = 'inspection';
const ISSUER = 'vitrine';
/** Seconds. */
export const TOKEN_LIFE = 3600;

/** `sid`: the secret the token was issued for. */
const claims = z.object({ sub: z.string(), sid: z.string(), exp: z.number() });

/** Tokens that let a store's developer look at its records. A token is valid no longer than the secret it was issued for. */
@Injectable()
export class InspectionTokens {
  private readonly jwt = new JwtService();

  constructor(
    private readonly stores: StoresService,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  issue(store: Store, secretId: string): string {
    const iat = Math.floor(this.clock.now() / 1000);
    const payload = { sub: store.apiKey, sid: secretId, jti: randomUUID(), iat, exp: iat + TOKEN_LIFE };
    const secret = this.secrets.adminSecret[0] ?? '';
    return this.jwt.sign(payload, { secret, algorithm: 'HS256', audience: AUDIENCE, issuer: ISSUER });
  }

  /** Null for a token that is no inspection token of ours, has expired, or whose secret is no longer valid. */
  verify(token: string): Store | null {
    for (const secret of this.secrets.adminSecret) {
      const parsed = claims.safeParse(this.payload(token, secret));
      if (!parsed.success) continue;
      const store = this.stores.byApiKey(parsed.data.sub);
      return store && this.stores.secretIsLive(store.id, parsed.data.sid) ? store : null;
    }
    return null;
  }

  /** The same, also where another replica has issued it for a store or a secret that is not known here yet. */
  async verifyNow(token: string): Promise<Store | null> {
    const store = this.verify(token);
    if (store || !this.secrets.adminSecret.some((secret) => this.payload(token, secret) !== null)) return store;
    await this.stores.catchUp();
    return this.verify(token);
  }

  private payload(token: string, secret: string): unknown {
    try {
      const clockTimestamp = Math.floor(this.clock.now() / 1000);
      const required = { algorithms: ['HS256' as const], audience: AUDIENCE, issuer: ISSUER };
      return this.jwt.verify(token, { secret, clockTimestamp, ...required });
    } catch {
      return null;
    }
  }
}
