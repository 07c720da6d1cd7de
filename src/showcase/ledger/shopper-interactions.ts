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

/** What a user clicked and bought: erased, it stays counted and billed, and is nobody's. */
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
      for await (const page of this.ledger.entries({ store: person.store.id, shopper })) {
        for (const entry of page) yield lineOf(entry);
      }
    }
  }
}

/** The devices seen with the user, too: what was clicked there before they said who they are. */
const namesOf = ({ userId, deviceIds }: Person): ShopperKey[] => [userKey(userId), ...deviceIds.map(deviceKey)];

function lineOf(entry: LedgerEntry): KnownThing {
  const { store: _internal, ...known } =
    entry.type === 'interaction' ? entry.interaction : { ...entry.order, type: entry.type };
  return { ...known, at: new Date(known.at).toISOString() };
}
