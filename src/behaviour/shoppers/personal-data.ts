import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Store } from '../../stores/store';

/** A user of a store, and the devices that were seen with them. */
export interface Person {
  store: Store;
  userId: string;
  deviceIds: readonly string[];
}

const count = z.int().min(0);

/** What was erased of a user. */
export const eraseReceipt = z.object({
  erased: z.object({ events: count, vectors: count, links: count, searches: count, clicks: count, jobs: count }),
});
export type EraseReceipt = z.infer<typeof eraseReceipt>;
export type ErasedCounts = EraseReceipt['erased'];

/** One thing that is known, as a line of an export: `type` says what it is. */
export type KnownThing = { type: string } & Readonly<Record<string, unknown>>;

/** What one capability keeps about persons. */
export interface PersonalRecords {
  /** Erases all of it; answers how much that was of what a receipt counts. Again: nothing is left, and nothing fails. */
  erase(person: Person): Promise<Partial<ErasedCounts>>;
  /** All of it that is known, in a lasting order. */
  export(person: Person): AsyncIterable<KnownThing>;
}

/**
 * Everything kept about persons, wherever it is. Whoever keeps anything under a user's id adds what erases and exports it;
 * test/e2e/privacy finds what was forgotten, by looking for an erased user in all that is stored.
 */
@Injectable()
export class PersonalData {
  private readonly kept: PersonalRecords[] = [];

  /** Those added first are erased and exported first. */
  add(records: PersonalRecords): void {
    this.kept.push(records);
  }

  async erase(person: Person): Promise<EraseReceipt> {
    const erased: ErasedCounts = { events: 0, vectors: 0, links: 0, searches: 0, clicks: 0, jobs: 0 };
    for (const records of this.kept) {
      const counts = Object.entries(await records.erase(person)) as [keyof ErasedCounts, number][];
      for (const [name, some] of counts) erased[name] += some;
    }
    return { erased };
  }

  /** NDJSON. */
  async *export(person: Person): AsyncGenerator<string> {
    for (const records of this.kept) {
      for await (const thing of records.export(person)) yield `${JSON.stringify(thing)}\n`;
    }
  }
}
