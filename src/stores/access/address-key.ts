import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';
import { keyedName } from '../../shared/keyed-hash';
import { growingCache } from '../../shared/growing-cache';

/** A caller's address as limits count it: an IPv6 subscriber owns a whole /64. */
export function addressKey(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return all.slice(0, 4).join(':');
}

/** Addresses whose names are remembered in memory: every call is counted by one. */
const REMEMBERED = 10_000;

/** Names addresses in counters by a keyed hash, the same on every replica, so that no address is stored anywhere. */
@Injectable()
export class HashedAddresses {
  private readonly hash: (text: string) => string;
  private readonly names = growingCache<string>(REMEMBERED);

  constructor(secrets: Secrets) {
    this.hash = keyedName(secrets.adminSecret, 'addresses');
  }

  of(address: string): string {
    const known = this.names.get(address);
    if (known !== undefined) return known;
    const name = this.hash(addressKey(address));
    this.names.set(address, name);
    return name;
  }
}
