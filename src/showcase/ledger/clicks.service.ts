import { Injectable } from '@nestjs/common';
import { EventIntake } from '../../behaviour/events/event-intake';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { ApiError } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { chargeOf, isRunning } from '../campaigns/campaign';
import { CampaignsService } from '../campaigns/campaigns.service';
import { type Link, LinkTokens } from '../links/link-tokens';
import { dayOf } from '../store-day';
import { BurstGuard } from '../links/burst-guard';
import type { ClickVerdict, Interaction, KnownVerdict } from './click-ledger';
import { InteractionRecords } from './interaction-records';
import { idempotencyKey, isForeign, looksLikeBot, shopperOf, type Visitor } from '../links/visitor';
import { ProductPages } from '../links/product-pages';

/** Clicks that vectors learn from, billed or not. A duplicate is among them because the event of the first click may have been lost. */
const MEANT: ReadonlySet<ClickVerdict> = new Set(['valid', 'over_budget', 'duplicate']);

const HOUR = 3_600_000;
/** How long a link counts, unless the store says otherwise. */
const LINK_HOURS = 24;

/** An authentic link and its store. */
interface Followed {
  store: Store;
  link: Link & { id: string };
  now: number;
}

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
   * Durable when it resolves. Throws 400 for a hash that is not ours. `proven`: the store whose keys the request has. Answers where the
   * click leads, absolute.
   */
  async click(hash: string, visitor: Visitor, proven: Store | null): Promise<{ counted: boolean; location: string }> {
    const followed = await this.follow(hash, 'click');
    const { store, link, now } = followed;
    const keysCame = proven?.id === store.id;
    const page = this.pages.addressOf(store, link.product, link.channel);
    // It is awaited below, maybe after the ledger has failed.
    page.catch(() => undefined);
    const campaign = this.campaigns.of(store.id).get(link.campaign);
    const running = campaign !== undefined && isRunning(campaign, now);
    const shopper = shopperOf(visitor, link);
    const key = idempotencyKey(link, shopper, now);
    const verdict = await this.records.record({
      ...interactionOf(followed, 'click'),
      shopper,
      verdict: await this.clickVerdict(followed, visitor, running, keysCame),
      idempotencyKey: key,
      sharedLink: isForeign(visitor, link) && !keysCame ? link.id : null,
      charge: campaign ? chargeOf(campaign) : null,
    });
    if (shopper !== null && MEANT.has(verdict)) await this.tellShopper(followed, visitor, shopper, key);
    return { counted: verdict === 'valid', location: await page };
  }

  /** Durable when it resolves. Throws 400 for a hash that is not ours. */
  async view(hash: string, visitor: Visitor): Promise<void> {
    const followed = await this.follow(hash, 'view');
    const { link, now } = followed;
    await this.records.record({
      ...interactionOf(followed, 'view'),
      shopper: null,
      verdict: viewVerdict(followed, visitor),
      idempotencyKey: idempotencyKey(link, shopperOf(visitor, link), now),
      sharedLink: null,
      charge: null,
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

  private async clickVerdict(
    followed: Followed,
    visitor: Visitor,
    running: boolean,
    keysCame: boolean,
  ): Promise<KnownVerdict | null> {
    const verdict = viewVerdict(followed, visitor);
    if (verdict !== null) return verdict;
    if (!running) return 'expired';
    // A backend sends the clicks of all its shoppers from one address.
    if (!keysCame && (await this.bursts.isBurst(followed.store, visitor, followed.now))) return 'burst';
    return null;
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

function interactionOf({ store, link, now }: Followed, type: Interaction['type']) {
  const { campaign, product, placement, issuedAt } = link;
  const day = dayOf(now, store.settings.timeZone);
  return { store: store.id, type, campaign, product, placement, at: now, day, issuedAt };
}
