import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  type ErasedCounts,
  type KnownThing,
  type Person,
  PersonalData,
  type PersonalRecords,
} from '../../behaviour/shoppers/personal-data';
import { deviceKey, type ShopperKey, userKey } from '../../behaviour/shoppers/shopper';
import { Delayed } from '../../shared/async/delayed';
import { SearchLog } from './search-log';

/** By then every replica has written what it knew of a shopper before an erasure. Milliseconds. */
const WRITTEN_BY_ALL_MS = 2000;

/** What a user and their devices searched, and what they did then. */
@Injectable()
export class SearchHistory implements PersonalRecords, OnModuleInit, OnApplicationShutdown {
  private erased: Person[] = [];
  private readonly again = new Delayed(WRITTEN_BY_ALL_MS, () => this.eraseAgain());

  constructor(
    private readonly log: SearchLog,
    private readonly personal: PersonalData,
  ) {}

  onModuleInit(): void {
    this.personal.add(this);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.log.close();
    await this.again.run().catch(() => undefined);
  }

  async erase(person: Person): Promise<Partial<ErasedCounts>> {
    await this.log.flush();
    const searches = await this.remove(person);
    this.erased.push(person);
    this.again.schedule();
    return { searches };
  }

  async *export(person: Person): AsyncGenerator<KnownThing> {
    await this.log.flush();
    for (const shopper of namesOf(person)) {
      for await (const page of this.log.read({
        store: person.store.id,
        shopper,
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
      })) {
        for (const { store: _internal, address: _hint, at, outcomes, ...search } of page) {
          const followed = outcomes.map((outcome) => ({ ...outcome, at: iso(outcome.at) }));
          yield { type: 'search', at: iso(at), ...search, outcomes: followed };
        }
      }
    }
  }

  /** Removes what another replica still held, or a search that was under way. */
  private async eraseAgain(): Promise<void> {
    const erased = this.erased.splice(0);
    if (erased.length === 0) return;
    await this.log.flush();
    for (const person of erased) await this.remove(person);
  }

  private remove(person: Person): Promise<number> {
    return this.log.remove({ store: person.store.id, shoppers: namesOf(person) });
  }
}

/** With the user's devices, on which they may have searched before they were known. */
const namesOf = ({ userId, deviceIds }: Person): ShopperKey[] => [userKey(userId), ...deviceIds.map(deviceKey)];

const iso = (time: number): string => new Date(time).toISOString();
