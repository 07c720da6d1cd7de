import { createHmac, hkdfSync } from 'node:crypto';

/** Hashes text with a key derived from each secret for this purpose alone; in the order of the secrets. HMAC-SHA-256. */
export function keyedHashes(secrets: readonly string[], purpose: string): (text: string) => Buffer[] {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', `vitrine ${purpose}`, 32)));
  return (text) => keys.map((key) => createHmac('sha256', key).update(text).digest());
}

/** The same with the first secret alone, shortened to the 22 characters that a name needs. */
export function keyedName(secrets: readonly string[], purpose: string): (text: string) => string {
  const hash = keyedHashes(secrets.slice(0, 1), purpose);
  return (text) => (hash(text)[0]?.toString('base64url') ?? '').slice(0, 22);
}
