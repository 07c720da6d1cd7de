import { Injectable } from '@nestjs/common';
import { requiredStats } from '../../ranking/affinity';
import type { BoostTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import { halfLivesOf } from '../../stores/store-settings';
import { EventLog, eventPages } from '../events/event-log';
import { StatsCache } from '../learning/stats-cache';
import type { ShopperKey } from '../shoppers/shopper';
import { UserAttributes } from '../shoppers/user-attributes';
import { type PastEvent, PastVector } from './past-vector';
import type { ShopperProfile } from './profiles.service';

/** A shopper at a time that is over, epoch milliseconds. */
export interface PastMoment {
  at: number;
  profile(template: BoostTemplate): Promise<ShopperProfile>;
}

/** A shopper through time. */
export type PastShopper = (at: number) => PastMoment;

const nobody: ShopperProfile = { kind: 'none', reason: 'no_profile' };

/** Shoppers as they were known: their events are read once, and aggregated up to each moment. What the store has learned is that of today. */
@Injectable()
export class PastProfiles {
  constructor(
    private readonly log: EventLog,
    private readonly stats: StatsCache,
    private readonly attributes: UserAttributes,
  ) {}

  async of(store: Store, shopper: ShopperKey | null): Promise<PastShopper> {
    if (shopper === null) return (at) => ({ at, profile: async () => nobody });
    const isUser = shopper.startsWith('u:');
    if (isUser && (await this.attributes.optedOut(store.id, shopper.slice(2)))) {
      return (at) => ({ at, profile: async () => ({ kind: 'none', reason: 'opted_out' }) });
    }
    const vectors = new PastVector(halfLivesOf(store.settings), await this.eventsOf(store, shopper));
    return (at) => ({
      at,
      profile: async (template) => {
        const vector = vectors.at(at);
        if (Object.keys(vector.cells).length === 0) return nobody;
        const stats = await this.stats.lookup(store.id, requiredStats([vector], template));
        return { kind: isUser ? 'user' : 'device', vectors: [vector], stats };
      },
    });
  }

  private async eventsOf(store: Store, shopper: ShopperKey): Promise<PastEvent[]> {
    const events: PastEvent[] = [];
    for await (const page of eventPages(this.log, { store: store.id, shopper, counted: true })) {
      for (const { receivedAt, seq, evidence } of page) {
        if (evidence) events.push({ receivedAt, evidence: { ...evidence, seq } });
      }
    }
    return events;
  }
}
