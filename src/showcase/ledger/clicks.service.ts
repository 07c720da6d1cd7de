import { Injectable } from '@nestjs/common';
import { EventIntake } from '../../behaviour/events/event-intake';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { Clock } from '../../shared/clock';
import { ApiError } from '../../shared/api-error';
import type { Store } from '../../stores/store';
import { CampaignsService } from '../campaigns/campaigns.service';
import { chargeOf, isRunning } from '../campaigns/campaign';
import type { Link } from '../links/link-tokens';
import { dayOf } from '../store-day';
import { BurstGuard } from './burst-guard';
import type { ClickVerdict, Interaction } from './click-ledger';
import { InteractionRecords } from './interaction-records';
import { isForeign, looksLikeBot, idempotencyKey, shopperOf, type Visitor } from './interaction-request';

export interface ClickCall {
  hash: string;
  visitor: Visitor;
  /** The store whose keys came along. */
  proven: Store | null;
}

export interface ClickOutcome {
  counted: boolean;
  /** Absolute. */
  location: string;
}

/** Clicks whose shopper meant them: their vectors learn from those, billed or not. A duplicate may be of one whose event was cut off. */
const MEANT: ReadonlySet<ClickVerdict> = new Set(['valid', 'over_budget', 'duplicate']);

const HOUR = 3_600_000;
/** How long a link counts where the store says nothing. */
const LINK_HOURS = 24;

/** An authentic link, and whose. */
interface Followed {
  store: Store;
  link: Link & { id: string };
  now: number;
}

/** Clicks and views on what a showcase handed out (contract section 7). */
@Injectable()
export class ClicksService {
  constructor(
    private readonly hits: InteractionRecords,
    private readonly campaigns: CampaignsService,
    private readonly bursts: BurstGuard,
    private readonly events: EventIntake,
    private readonly clock: Clock,
  ) {}

  /** Durable when it resolves. Throws 400 for a hash that is not ours. */
  async click({ hash, visitor, proven }: ClickCall): Promise<ClickOutcome> {
    const followed = await this.follow(hash, 'click');
    const { store, link, now } = followed;
    const keysCame = proven?.id === store.id;
    const page = this.hits.pages.addressOf(store, link.product, link.channel);
    // It is awaited below, maybe after the ledger has failed.
    page.catch(() => undefined);
    const shopper = shopperOf(visitor, link);
    const campaign = this.campaigns.of(store.id).get(link.campaign);
    const known = await this.knownVerdict(followed, visitor, {
      running: campaign !== undefined && isRunning(campaign, now),
      keysCame,
    });
    const hit: Interaction = {
      ...this.interactionOf(followed, 'click'),
      shopper,
      verdict: known,
      once: idempotencyKey(link, shopper, now),
      foreign: isForeign(visitor, link) && !keysCame ? link.id : null,
      charge: campaign ? chargeOf(campaign) : null,
    };
    const verdict = await this.hits.record(hit);
    if (MEANT.has(verdict)) await this.tellShopper(store, hit, { link, shopper });
    return { counted: verdict === 'valid', location: await page };
  }

  /** Durable when it resolves. Throws 400 for a hash that is not ours. */
  async view(hash: string, visitor: Visitor): Promise<void> {
    const followed = await this.follow(hash, 'view');
    const { link, now } = followed;
    let verdict: ClickVerdict | null = null;
    if (visitor.prefetch) verdict = 'prefetch';
    else if (looksLikeBot(visitor)) verdict = 'bot';
    else if (isOld(followed)) verdict = 'expired';
    await this.hits.record({
      ...this.interactionOf(followed, 'view'),
      shopper: null,
      verdict,
      once: idempotencyKey(link, shopperOf(visitor, link), now),
      foreign: null,
      charge: null,
    });
  }

  private async follow(hash: string, type: Interaction['type']): Promise<Followed> {
    const now = this.clock.now();
    const read = this.hits.links.read(hash);
    const fits = read.authentic && (read.link.kind === 'click') === (type === 'click');
    if (read.authentic && fits) return { store: read.store, link: { ...read.link, id: read.id }, now };
    await this.hits.recordForged({ store: read.store, type, now });
    const message =
      'hash: it is not one that a showcase handed out, or was changed on the way; send it as it was delivered';
    throw new ApiError('invalid_parameter', message, { details: [{ path: 'hash', message }] });
  }

  /** What is known before the ledger is asked. */
  private async knownVerdict(
    followed: Followed,
    visitor: Visitor,
    { running, keysCame }: { running: boolean; keysCame: boolean },
  ): Promise<ClickVerdict | null> {
    if (visitor.prefetch) return 'prefetch';
    if (looksLikeBot(visitor)) return 'bot';
    if (isOld(followed) || !running) return 'expired';
    // All shoppers of a backend come from its address.
    if (!keysCame && (await this.bursts.isBurst(followed.store, visitor, followed.now))) return 'burst';
    return null;
  }

  private interactionOf(
    { store, link, now }: Followed,
    type: Interaction['type'],
  ): Omit<Interaction, 'shopper' | 'verdict' | 'once' | 'foreign' | 'charge'> {
    const { campaign, product, placement, issuedAt } = link;
    const day = dayOf(now, store.settings.timeZone);
    return { store: store.id, type, campaign, product, placement, at: now, day, issuedAt };
  }

  private async tellShopper(
    store: Store,
    hit: Interaction,
    { link, shopper }: { link: Link; shopper: ShopperKey | null },
  ): Promise<void> {
    if (shopper === null) return;
    const isUser = shopper.startsWith('u:');
    const name = shopper.slice(2);
    await this.events.clicked(store, {
      userId: isUser ? name : null,
      // A device's events belong to the user who is seen with it: only the showcase itself has seen the two together.
      deviceId: isUser && name !== link.user ? null : link.device,
      product: link.product,
      idempotencyKey: `k:${hit.once}`,
      details: { campaign: link.campaign, placement: link.placement },
    });
  }
}

function isOld({ store, link, now }: Followed): boolean {
  return now - link.issuedAt > (store.settings.showcase?.linkHours ?? LINK_HOURS) * HOUR;
}
