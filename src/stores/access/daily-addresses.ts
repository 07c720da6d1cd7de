import { randomBytes, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DocumentConflict, Documents } from '../../documents/documents';
import { cached } from '../../shared/async/single-flight';
import { addressKey } from './address-key';
import { growingCache } from '../../shared/growing-cache';

const KIND = 'address-salt';
const DAY = 86_400_000;

/** Addresses whose hashes of the day are remembered: hashing anew at every event and click costs more than looking. */
const REMEMBERED = 10_000;

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/**
 * Names the address a call came from by a hash that may be kept with what it brought. Its salt is random, lasts a day (UTC) and is the same
 * on every replica; once it is removed, nobody finds the address again, whatever else they hold. Two days of one address don't match.
 */
@Injectable()
export class DailyAddresses {
  private readonly salts = new Map<string, Promise<Buffer>>();
  /** Of one day. */
  private readonly hashes = growingCache<string>(REMEMBERED);
  private hashesOf = -1;

  constructor(private readonly documents: Documents) {}

  /** 22 characters, apart for each store; null where no address is known. Throws where the storage does not answer. */
  async of(store: string, address: string, now: number): Promise<string | null> {
    if (address === '') return null;
    const day = Math.floor(now / DAY);
    const name = `${store} ${address}`;
    const known = day === this.hashesOf ? this.hashes.get(name) : undefined;
    if (known !== undefined) return known;
    const salt = await cached(this.salts, dayOf(now), () => this.salt(now));
    const text = JSON.stringify([store, addressKey(address)]);
    const hash = createHmac('sha256', salt).update(text).digest('base64url').slice(0, 22);
    // What was known of the day before goes with it.
    if (day !== this.hashesOf) this.hashes.clear();
    this.hashesOf = day;
    this.hashes.set(name, hash);
    return hash;
  }

  /** Removes the salts of the days before; the number removed. */
  async forget(now: number): Promise<number> {
    const today = dayOf(now);
    for (const day of this.salts.keys()) if (day < today) this.salts.delete(day);
    // Of the day before a replica whose clock is late may still ask.
    const over = (await this.documents.list({ kind: KIND, store: '*' })).filter(({ id }) => id < dayOf(now - DAY / 24));
    for (const { id } of over) await this.documents.remove({ store: '*', kind: KIND, id });
    return over.length;
  }

  /** Of the day, made by whoever asks first. */
  private async salt(now: number): Promise<Buffer> {
    const key = { store: '*', kind: KIND, id: dayOf(now) };
    const fresh = randomBytes(32).toString('base64');
    try {
      const known = await this.documents.get<string>(key);
      if (known) return Buffer.from(known.body, 'base64');
      await this.documents.put([{ ...key, body: fresh, expectedVersion: 0 }]);
      await this.forget(now);
      return Buffer.from(fresh, 'base64');
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
      return this.salt(now);
    }
  }
}
