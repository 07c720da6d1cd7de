import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JwtService } from '@nestjs/jwt';
import { z } from 'zod';
import { Clock } from '../shared/clock';
import { Secrets } from '../config/secrets';
import { jwtOf } from '../stores/access/jwt-of';
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
  private readonly jwts: readonly JwtService[];

  constructor(
    private readonly stores: StoresService,
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.jwts = secrets.adminSecret.map(jwtOf);
  }

  issue(store: Store, secretId: string): string {
    const iat = Math.floor(this.clock.now() / 1000);
    const payload = { sub: store.apiKey, sid: secretId, jti: randomUUID(), iat, exp: iat + TOKEN_LIFE };
    const [newest] = this.jwts;
    if (!newest) throw new Error('There is no secret to sign with');
    return newest.sign(payload, { algorithm: 'HS256', audience: AUDIENCE, issuer: ISSUER });
  }

  /** Null for a token that is no inspection token of ours, has expired, or whose secret is no longer valid. */
  verify(token: string): Store | null {
    for (const jwt of this.jwts) {
      const parsed = claims.safeParse(this.payload(token, jwt));
      if (!parsed.success) continue;
      const store = this.stores.byApiKey(parsed.data.sub);
      return store && this.stores.secretIsLive(store.id, parsed.data.sid) ? store : null;
    }
    return null;
  }

  /** The same, also where another replica has issued it for a store or a secret that is not known here yet. */
  async verifyNow(token: string): Promise<Store | null> {
    const store = this.verify(token);
    if (store || !this.jwts.some((jwt) => this.payload(token, jwt) !== null)) return store;
    await this.stores.catchUp();
    return this.verify(token);
  }

  private payload(token: string, jwt: JwtService): unknown {
    try {
      const clockTimestamp = Math.floor(this.clock.now() / 1000);
      const required = { algorithms: ['HS256' as const], audience: AUDIENCE, issuer: ISSUER };
      return jwt.verify(token, { clockTimestamp, ...required });
    } catch {
      return null;
    }
  }
}
