import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';
import { growingCache } from '../../shared/growing-cache';

const MOST_KNOWN = 10_000;

/** The keyed hash by which an erased user is known for 90 days: without the service's secret it says nothing. */
@Injectable()
export class UserHashes {
  private readonly keys: Buffer[];
  /** Every event of a user asks; hashing anew would cost a tenth of its intake. */
  private readonly known = growingCache<string[]>(MOST_KNOWN);

  constructor(secrets: Secrets) {
    this.keys = secrets.adminSecret.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', 'vitrine erased users', 32)),
    );
  }

  /** One for each secret in use, the newest first: an erasure is found by either. */
  of(store: string, userId: string): string[] {
    const name = `${store}\0${userId}`;
    const known = this.known.get(name);
    if (known) return known;
    const hashes = this.keys.map((key) => createHmac('sha256', key).update(name).digest('base64url'));
    this.known.set(name, hashes);
    return hashes;
  }
}
