import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';
import { growingCache } from '../../shared/growing-cache';
import { keyedName } from '../../shared/keyed-hash';
import { addressKey } from '../../stores/access/address-key';
import type { Caller } from '../../stores/store';

/** Characters: so few that thousands of addresses share each hint. Enough to tell two apart, too little to say which they are. */
const TELLS_APART = 3;
/** Hints that are remembered: of those who search now. */
const MOST_KNOWN = 10_000;

/** What is kept of the address a search came from, so that one address can't pass for many. */
@Injectable()
export class AddressHints {
  private readonly known = growingCache<string>(MOST_KNOWN);
  private readonly hash: (text: string) => string;

  constructor(secrets: Secrets) {
    this.hash = keyedName(secrets.adminSecret, 'addresses of query terms');
  }

  /** Null: store keys came along, which prove more than an address does. */
  of({ store, method, address }: Caller): string | null {
    if (method === 'keys') return null;
    const text = JSON.stringify([store.id, addressKey(address)]);
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const hint = this.hash(text).slice(0, TELLS_APART);
    this.known.set(text, hint);
    return hint;
  }
}
