import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { keyedHashes } from '../shared/keyed-hash';

/** A store's secret as it is kept: never the secret itself. */
export interface StoredSecret {
  /** Names it in tokens issued for it. */
  id: string;
  /** HMAC-SHA-256 of the secret, base64url. */
  hash: string;
  /** Milliseconds; null: until it is rotated. */
  validUntil: number | null;
}

/** Secrets whose hashes are remembered. */
const MOST_REMEMBERED = 1000;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Random lower-case base32, 5 bits a character. */
export function randomBase32(length: number): string {
  return Array.from(randomBytes(length), (byte) => BASE32[byte & 31]).join('');
}

/** Hashes the secrets of stores with a key of their own, derived from each live admin secret. */
export class SecretHasher {
  private readonly hashes: (secret: string) => Buffer[];
  /** Hashes of secrets that were right, by a salted digest: thousands of calls come with the same few secrets. */
  private readonly remembered = new LRUCache<string, Buffer[]>({ max: MOST_REMEMBERED });
  private readonly salt = randomBytes(32).toString('base64url');

  constructor(adminSecrets: readonly string[]) {
    this.hashes = keyedHashes(adminSecrets, 'store secrets');
  }

  /** A new secret, to be shown once, and what is kept of it. */
  create(): { secretKey: string; stored: StoredSecret } {
    const secretKey = randomBytes(32).toString('base64url');
    return { secretKey, stored: { id: randomBase32(12), hash: this.hash(secretKey), validUntil: null } };
  }

  /** With the first admin secret. */
  hash(secret: string): string {
    return this.hashes(secret)[0]?.toString('base64url') ?? '';
  }

  /**
   * Finds which stored secret this one is, in a time that depends only on how many are stored. `stale`: its hash was made with an
   * admin secret that is being replaced, so it should be made again.
   */
  find(secret: string, stored: readonly StoredSecret[], now: number): { match: StoredSecret; stale: boolean } | null {
    const name = hash('sha256', this.salt + secret, 'base64url');
    const hashes = this.remembered.get(name) ?? this.hashes(secret);
    let found: { match: StoredSecret; stale: boolean } | null = null;
    for (const candidate of stored) {
      const kept = Buffer.from(candidate.hash, 'base64url');
      hashes.forEach((own, index) => {
        const same = kept.length === own.length && timingSafeEqual(kept, own);
        if (same && isLive(candidate, now)) found = { match: candidate, stale: index > 0 };
      });
    }
    if (found) this.remembered.set(name, hashes);
    return found;
  }
}

export const isLive = ({ validUntil }: StoredSecret, now: number): boolean => validUntil === null || validUntil > now;
