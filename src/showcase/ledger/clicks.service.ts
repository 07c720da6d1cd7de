import { Injectable } from '@nestjs/common';
import { EventIntake } from '../../behaviour/events/event-intake';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { ApiError } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { chargeOf, isRunning } from '../campaigns/campaign';
import { CampaignsService } from '../campaigns/campaigns.service';
import { LinkTokens } from '../links/link-tokens';
import { dayOf } from '../../stores/store-day';
import { BurstGuard, type Followed, type Source } from '../links/burst-guard';
import type { Arrival, ClickVerdict, Interaction, KnownVerdict } from './click-ledger';
import { InteractionRecords } from './interaction-records';
import { idempotencyKey, isForeign, looksLikeBot, shopperOf, type Visitor } from '../links/visitor';
import { ProductPages } from '../links/product-pages';

/** Clicks that vectors learn from, billed or not. A duplicate is among them because the event of the first click may have been lost. */
const MEANT: ReadonlySet<ClickVerdict> = new Set(['valid', 'over_budget', 'duplicate']);

const HOUR = 3_600_000;
/** How long a link counts, unless the store says otherwise. */
const LINK_HOURS = 24;

/** Clicks and views on what a showcase handed out (contract section 7). */
@Injectable()
export class ClicksService {
  constructor(
    private readonly links: LinkTokens,
    private readonly pages: ProductPages,
    private readonly records: InteractionRecords,
    private readonly campaigns: CampaignsService,
    private readonly bursts: BurstGuard,
    private readonly events: EventIntake,
    private readonly clock: Clock,
  ) {}

  /**
   * Durable when it resolves. Throws 400 for a hash that is not ours. `proven`: the store whose keys the request has. `leads`: whether to
   * answer where the click leads, absolute.
   */
  async click(
    hash: string,
    visitor: Visitor,
    { proven, leads }: { proven: Store | null; leads: boolean },
  ): Promise<{ counted: boolean; location: string | null }> {
    const followed = await this.follow(hash, 'click');
    const { store, link, now } = followed;
    const keysCame = proven?.id === store.id;
    const page = leads ? this.pages.addressOf(store, link.product, link.channel) : null;
    // It is awaited below, maybe after the ledger has failed.
    page?.catch(() => undefined);
    const campaign = this.campaigns.of(store.id).get(link.campaign);
    const running = campaign !== undefined && isRunning(campaign, now);
    const shopper = shopperOf(visitor, link);
    const key = idempotencyKey(link, shopper, now);
    const source = await this.bursts.sourceOf(followed, visitor, shopper, keysCame);
    const known = viewVerdict(followed, visitor) ?? (running ? null : 'expired');
    const admission = known === null ? await this.bursts.admit(store, source) : null;
    const verdict = await this.records.record({
      ...interactionOf(followed, 'click'),
      shopper,
      verdict: admission?.admitted === false ? 'burst' : known,
      idempotencyKey: key,
      sharedLink: isForeign(visitor, link) && !keysCame ? link.id : null,
      charge: campaign ? chargeOf(campaign) : null,
      arrival: arrivalOf(source, admission?.rated ?? true),
    });
    if (admission?.admitted && verdict !== 'valid') await this.bursts.giveBack(source);
    if (shopper !== null && MEANT.has(verdict)) await this.tellShopper(followed, visitor, shopper, key);
    return { counted: verdict === 'valid', location: await page };
  }

  /** Durable when it resolves. Throws 400 for a hash that is not ours. */
  async view(hash: string, visitor: Visitor): Promise<void> {
    const followed = await this.follow(hash, 'view');
    const { link, now } = followed;
    const shopper = shopperOf(visitor, link);
    const verdict = viewVerdict(followed, visitor);
    // A widget has no click rate, and nobody clicks it.
    const source = link.kind === 'widget' ? null : await this.bursts.sourceOf(followed, visitor, shopper, false);
    const isRated = !source || verdict !== null || (await this.bursts.takeView(source));
    await this.records.record({
      ...interactionOf(followed, 'view'),
      shopper: null,
      verdict,
      idempotencyKey: idempotencyKey(link, shopper, now),
      sharedLink: null,
      charge: null,
      arrival: arrivalOf(source, isRated),
    });
  }

  private async follow(hash: string, type: Interaction['type']): Promise<Followed> {
    const now = this.clock.now();
    const read = this.links.read(hash);
    const fits = read.authentic && (read.link.kind === 'click') === (type === 'click');
    if (read.authentic && fits) return { store: read.store, link: { ...read.link, id: read.id }, now };
    await this.records.recordForged(read.store, type, now);
    const message =
      'hash: it is not one that a showcase handed out, or was changed on the way; send it as it was delivered';
    throw new ApiError('invalid_parameter', message, { details: [{ path: 'hash', message }] });
  }

  private async tellShopper(
    { store, link }: Followed,
    visitor: Visitor,
    shopper: ShopperKey,
    key: string,
  ): Promise<void> {
    const isUser = shopper.startsWith('u:');
    const name = shopper.slice(2);
    await this.events.clicked(store, {
      userId: isUser ? name : null,
      // Events of a device become those of the user it is seen with. The link is proof of that only for its own user.
      deviceId: isUser && name !== link.user ? null : link.device,
      product: link.product,
      address: visitor.address,
      idempotencyKey: `k:${key}`,
      details: { campaign: link.campaign, placement: link.placement },
    });
  }
}

function viewVerdict({ store, link, now }: Followed, visitor: Visitor): KnownVerdict | null {
  if (visitor.prefetch) return 'prefetch';
  if (looksLikeBot(visitor)) return 'bot';
  const hours = store.settings.showcase?.linkHours ?? LINK_HOURS;
  return now - link.issuedAt > hours * HOUR ? 'expired' : null;
}

function arrivalOf(source: Source | null, isRated: boolean): Arrival {
  return { ...source?.arrival, ...(isRated ? {} : { unrated: true as const }) };
}

function interactionOf({ store, link, now }: Followed, type: Interaction['type']) {
  const { campaign, product, placement, issuedAt } = link;
  const day = dayOf(now, store.settings.timeZone);
  return { store: store.id, type, campaign, product, placement, at: now, day, issuedAt };
}
