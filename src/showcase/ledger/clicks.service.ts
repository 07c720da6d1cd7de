import { Injectable } from '@nestjs/common';
import { EventIntake } from '../../behaviour/events/event-intake';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { ApiError } from '../../shared/api-error';
import { KeyedMutex } from '../../shared/async/keyed-mutex';
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
  private readonly oneAtATime = new KeyedMutex();

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
    const { store, link } = followed;
    const page = leads ? this.pages.addressOf(store, link.product, link.channel) : null;
    // It is awaited below, maybe after the ledger has failed.
    page?.catch(() => undefined);
    const verdict = await this.decide(followed, visitor, proven?.id === store.id);
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

  /** What the ledger makes of a click; one that was meant is an event of its shopper. `vouched`: the store's keys came along. */
  private async decide(followed: Followed, visitor: Visitor, vouched: boolean): Promise<ClickVerdict> {
    const { store, link, now } = followed;
    const campaign = this.campaigns.of(store.id).get(link.campaign);
    const shopper = shopperOf(visitor, link);
    const key = idempotencyKey(link, shopper, now);
    const source = await this.bursts.sourceOf(followed, visitor, shopper, vouched);
    const running = campaign !== undefined && isRunning(campaign, now);
    const { known, rated } = await this.admit(followed, visitor, { source, running });
    const sharedLink = isForeign(visitor, link) && !vouched ? link.id : null;
    // One after the other where somebody clicks twice, so that the second finds the first.
    const tell = (): Promise<void> =>
      this.oneAtATime.run(`${store.id}\n${key}`, () => this.tellShopper(followed, visitor, shopper, key));
    // Then it was meant, whatever the ledger makes of it, so that nobody waits for one disk after the other.
    const telling = known === null && sharedLink === null ? tell() : null;
    const recording = this.records.record({
      ...interactionOf(followed, 'click'),
      shopper,
      verdict: known,
      idempotencyKey: key,
      sharedLink,
      charge: campaign ? chargeOf(campaign) : null,
      arrival: arrivalOf(source, rated),
    });
    // Nothing of it goes on after its answer, whichever of the two fails.
    await Promise.allSettled([recording, telling]);
    const verdict = await recording;
    if (known === null && verdict !== 'valid') await this.bursts.giveBack(source);
    if (telling) await telling;
    else if (MEANT.has(verdict)) await tell();
    return verdict;
  }

  /** The verdict on a click that the ledger need not decide, and whether it may count for click rates. */
  private async admit(
    followed: Followed,
    visitor: Visitor,
    { source, running }: { source: Source; running: boolean },
  ): Promise<{ known: KnownVerdict | null; rated: boolean }> {
    const known = viewVerdict(followed, visitor) ?? (running ? null : 'expired');
    if (known !== null) return { known, rated: true };
    const { admitted, rated } = await this.bursts.admit(followed.store, source);
    return { known: admitted ? null : 'burst', rated };
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
    shopper: ShopperKey | null,
    key: string,
  ): Promise<void> {
    if (shopper === null) return;
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
