import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deviceKey, type ShopperKey, userKey } from '../../behaviour/shoppers/shopper';
import {
  type ErasedCounts,
  type KnownThing,
  type Person,
  PersonalData,
  type PersonalRecords,
} from '../../behaviour/shoppers/personal-data';
import { ClickLedger, type LedgerEntry } from './click-ledger';

/** What a user clicked and bought. Erasing takes the name off: the entries stay, counted and billed. */
@Injectable()
export class ShopperInteractions implements PersonalRecords, OnModuleInit {
  constructor(
    private readonly ledger: ClickLedger,
    private readonly personal: PersonalData,
  ) {}

  onModuleInit(): void {
    this.personal.add(this);
  }

  async erase(person: Person): Promise<Partial<ErasedCounts>> {
    let clicks = 0;
    for (const shopper of namesOf(person)) {
      clicks += await this.ledger.remove({ store: person.store.id, shopper });
    }
    return { clicks };
  }

  async *export(person: Person): AsyncGenerator<KnownThing> {
    for (const shopper of namesOf(person)) {
      for await (const page of this.ledger.entries(person.store.id, shopper)) {
        for (const entry of page) yield lineOf(entry);
      }
    }
  }
}

/** With the user's devices, which may have clicked before the user was known. */
const namesOf = ({ userId, deviceIds }: Person): ShopperKey[] => [userKey(userId), ...deviceIds.map(deviceKey)];

function lineOf(entry: LedgerEntry): KnownThing {
  const { store: _internal, ...known } =
    entry.type === 'interaction' ? entry.interaction : { ...entry.order, type: entry.type };
  return { ...known, at: new Date(known.at).toISOString() };
}
