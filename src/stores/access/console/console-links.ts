import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../../config/secrets';
import { Settings } from '../../../config/settings';
import { Documents } from '../../../documents/documents';
import { Clock } from '../../../shared/clock';
import { keyedHashes } from '../../../shared/keyed-hash';
import type { Admin } from '../admin-tokens';

const KIND = 'console-code';
const CODE_MS = 10 * 60_000;

interface StoredCode {
  admin: Admin;
  /** The jti of the token that asked for it; absent: the start did. */
  grantedBy?: string;
  expiresAt: number;
}

export type Granted = Omit<StoredCode, 'expiresAt'>;

/** One-time links to the console. A code is kept as a keyed hash alone, and is gone with its first use, on every replica. */
@Injectable()
export class ConsoleLinks {
  private readonly hashes: (text: string) => Buffer[];

  constructor(
    private readonly documents: Documents,
    private readonly settings: Settings,
    private readonly clock: Clock,
    secrets: Secrets,
  ) {
    this.hashes = keyedHashes(secrets.adminSecret, 'console codes');
  }

  /** A link that signs in once, within ten minutes. The code stands in the fragment, which browsers send nowhere. */
  async create(
    { role, store, storeId }: Pick<Admin, 'role' | 'store' | 'storeId'>,
    grantedBy?: string,
  ): Promise<{ url: string; expiresAt: string }> {
    const now = this.clock.now();
    const code = randomBytes(32).toString('base64url');
    const bound = { ...(store === undefined ? {} : { store }), ...(storeId === undefined ? {} : { storeId }) };
    const admin: Admin = { jti: `console-${randomUUID()}`, role, iat: Math.floor(now / 1000), ...bound };
    const body: StoredCode = { admin, expiresAt: now + CODE_MS, ...(grantedBy === undefined ? {} : { grantedBy }) };
    await this.removeExpired(now);
    await this.documents.put([{ ...this.keys(code)[0]!, body }]);
    const url = `${this.settings.urls.public}/console/#code=${code}`;
    return { url, expiresAt: new Date(body.expiresAt).toISOString() };
  }

  /** What the code grants; null for one that is unknown, used or too old. */
  async redeem(code: string): Promise<Granted | null> {
    for (const key of this.keys(code)) {
      const found = await this.documents.get<StoredCode>(key);
      // Whoever removes it has it: of two that come at once, one.
      if (!found || !(await this.documents.remove(key))) continue;
      const { expiresAt, ...granted } = found.body;
      return this.clock.now() < expiresAt ? granted : null;
    }
    return null;
  }

  private keys(code: string): { store: string; kind: string; id: string }[] {
    return this.hashes(code).map((hash) => ({ store: '*', kind: KIND, id: hash.toString('base64url') }));
  }

  private async removeExpired(now: number): Promise<void> {
    const codes = await this.documents.list<StoredCode>({ kind: KIND, store: '*' });
    for (const { id, body } of codes) {
      if (body.expiresAt <= now) await this.documents.remove({ store: '*', kind: KIND, id });
    }
  }
}
