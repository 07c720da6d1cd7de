import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';

/** One caller's address as limits count it: an IPv6 subscriber owns a whole /64. */
export function addressKey(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return all.slice(0, 4).join(':');
}

/** Addresses in counts: by a keyed hash, the same on every replica, so that none is written down anywhere. */
@Injectable()
export class HashedAddresses {
  private readonly key: Buffer;

  constructor(secrets: Secrets) {
    this.key = Buffer.from(hkdfSync('sha256', secrets.adminSecret[0] ?? '', '', 'vitrine addresses', 32));
  }

  of(address: string): string {
    return createHmac('sha256', this.key).update(addressKey(address)).digest('base64url').slice(0, 22);
  }
}
