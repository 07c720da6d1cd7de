import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../../config/secrets';
import { DocumentConflict, type DocumentKey, Documents } from '../../../documents/documents';
import { Clock } from '../../../shared/clock';
import { keyedHashes } from '../../../shared/keyed-hash';
import { type Admin, AdminTokens } from '../admin-tokens';
import { ConsoleLinks, type Granted } from './console-links';

const KIND = 'console-session';
/** A session that is not used for so long is over. */
const IDLE_MS = 3_600_000;
/** However much it is used. */
const LONGEST_MS = 12 * 3_600_000;
/** Renewed once this much of its time is gone, not with every request. */
const RENEW_AFTER_MS = IDLE_MS / 4;

interface StoredSession extends Granted {
  expiresAt: number;
  /** When it ends, used or not. */
  endsAt: number;
}

export interface ConsoleSession {
  admin: Admin;
  /** What the cookie holds. */
  id: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Whether the browser has to be told a new expiry. */
  renewed: boolean;
}

/** Who is signed in to the console: by documents, so that every replica knows, under keyed hashes of what the cookies hold. */
@Injectable()
export class ConsoleSessions {
  private readonly hashes: (text: string) => Buffer[];

  constructor(
    private readonly documents: Documents,
    private readonly links: ConsoleLinks,
    private readonly tokens: AdminTokens,
    private readonly clock: Clock,
    secrets: Secrets,
  ) {
    this.hashes = keyedHashes(secrets.adminSecret, 'console sessions');
  }

  /** Null where the code is unknown, used or too old, or what granted it was revoked. */
  async byCode(code: string): Promise<ConsoleSession | null> {
    const granted = await this.links.redeem(code);
    if (!granted || (await this.isRevoked(granted))) return null;
    return this.begin(granted, Infinity);
  }

  /** Null where it is no admin token of ours. The session ends with the token. */
  async byToken(token: string): Promise<ConsoleSession | null> {
    await this.tokens.catchUp();
    const found = this.tokens.read(token);
    return found ? this.begin({ admin: found.admin }, found.expiresAt) : null;
  }

  /** The session of a cookie, which lives on by this; null where there is none, or it is over. */
  async find(id: string): Promise<ConsoleSession | null> {
    const found = await this.read(id);
    if (!found) return null;
    const now = this.clock.now();
    const { key, body, version } = found;
    const expiresAt = Math.min(now + IDLE_MS, body.endsAt);
    const renewed = expiresAt > body.expiresAt && body.expiresAt - now <= IDLE_MS - RENEW_AFTER_MS;
    if (renewed) await this.renew({ ...key, body: { ...body, expiresAt }, expectedVersion: version });
    return { admin: body.admin, id, expiresAt: renewed ? expiresAt : body.expiresAt, renewed };
  }

  /** Whether it goes on; it does not live longer by this. */
  async isOpen(id: string): Promise<boolean> {
    return (await this.read(id)) !== null;
  }

  secondsLeft({ expiresAt }: ConsoleSession): number {
    return Math.max(0, Math.floor((expiresAt - this.clock.now()) / 1000));
  }

  async end(id: string): Promise<void> {
    for (const key of this.keys(id)) await this.documents.remove(key);
  }

  private async read(id: string): Promise<{ key: DocumentKey; body: StoredSession; version: number } | null> {
    for (const key of this.keys(id)) {
      const found = await this.documents.get<StoredSession>(key);
      if (!found) continue;
      const { body, version } = found;
      return this.clock.now() >= body.expiresAt || (await this.isRevoked(body)) ? null : { key, body, version };
    }
    return null;
  }

  private async begin(granted: Granted, endsAt: number): Promise<ConsoleSession> {
    const now = this.clock.now();
    const id = randomBytes(32).toString('base64url');
    const last = Math.min(now + LONGEST_MS, endsAt);
    const body: StoredSession = { ...granted, expiresAt: Math.min(now + IDLE_MS, last), endsAt: last };
    await this.removeExpired(now);
    await this.documents.put([{ ...this.keys(id)[0]!, body }]);
    return { admin: granted.admin, id, expiresAt: body.expiresAt, renewed: true };
  }

  /** Never brings back a session that was ended meanwhile. */
  private async renew(document: Parameters<Documents['put']>[0][number]): Promise<void> {
    try {
      await this.documents.put([document]);
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
    }
  }

  private async isRevoked({ admin, grantedBy }: Granted): Promise<boolean> {
    await this.tokens.catchUp();
    return this.tokens.isRevoked(admin.jti) || (grantedBy !== undefined && this.tokens.isRevoked(grantedBy));
  }

  private keys(id: string): DocumentKey[] {
    return this.hashes(id).map((hash) => ({ store: '*', kind: KIND, id: hash.toString('base64url') }));
  }

  private async removeExpired(now: number): Promise<void> {
    const sessions = await this.documents.list<StoredSession>({ kind: KIND, store: '*' });
    for (const { id, body } of sessions) {
      if (body.expiresAt <= now) await this.documents.remove({ store: '*', kind: KIND, id });
    }
  }
}
