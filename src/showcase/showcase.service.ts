import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { Clock } from '../shared/clock';
import { Settings } from '../config/settings';
import type { Store } from '../stores/store';
import { type Link, LinkTokens } from './links/link-tokens';
import { type ShowcaseParameters, widgetsOf } from './parameters';
import type { ShowcaseItem, ShowcaseReply } from './reply/reply-schemas';
import { showcaseItem, shownIn, type ShownProduct } from './reply/showcase-item';
import type { Candidates } from './selection/candidates';
import { type Candidate, WidgetPick } from './selection/pick';
import { type Selection, SelectionService, type Shopper } from './selection/selection.service';

/** Largest part of a widget that may be of one brand, unless the store says otherwise. */
const BRAND_SHARE = 0.5;
/** Candidates that are put in order for each card: some are of a brand that has its share already, some have just gone. */
const SPARE = 8;
const LEAST_ORDERED = 200;

interface Shown {
  candidate: Candidate;
  shown: ShownProduct;
}

/** Sponsored products for a page (contract section 7). */
@Injectable()
export class ShowcaseService {
  constructor(
    private readonly selection: SelectionService,
    private readonly records: CatalogRecords,
    private readonly links: LinkTokens,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async show(
    store: Store,
    parameters: ShowcaseParameters,
    shopper: Shopper,
    requestId: string,
  ): Promise<ShowcaseReply> {
    const channel = parameters.salesChannel ?? store.settings.defaultSalesChannel;
    const selection = await this.selection.select(store, { ...parameters, channel }, shopper);
    const taken = new Set<string>();
    const data: ShowcaseReply['data'] = [];
    for (const widget of widgetsOf(parameters)) {
      const pick = new WidgetPick(widget, store.settings.showcase?.brandShare ?? BRAND_SHARE, taken);
      const items = await this.itemsOf(store, channel, pick, inOrder(selection.candidates, widget.most));
      if (items.length === 0) continue;
      const common = {
        issuedAt: this.clock.now(),
        placement: parameters.placement,
        request: requestId,
        user: shopper.userId ?? null,
        device: shopper.deviceId ?? null,
        channel,
      };
      const cards = items.map((item, index) => this.card(store, item, { ...common, position: index + 1, selection }));
      const whole = { ...common, kind: 'widget' as const, campaign: '', product: '', position: data.length + 1 };
      data.push({ widget: widget.type, px: this.px(store, whole), data: cards });
    }
    return { v: 2, data };
  }

  /** Products are chosen from memory and looked up before they are shown: one may have been sold out or repriced meanwhile. */
  private async itemsOf(
    store: Store,
    channel: string,
    pick: WidgetPick,
    candidates: Iterator<Candidate>,
  ): Promise<Shown[]> {
    const items: Shown[] = [];
    for (;;) {
      const batch = firstOf(candidates, pick.left, (candidate) => pick.fits(candidate));
      if (batch.length === 0) return items;
      const ids = batch.map(({ product }) => product.id);
      const records = await this.records.read(store.id, ids);
      for (const [index, candidate] of batch.entries()) {
        const shown = shownIn(records[index] ?? null, channel);
        if (!shown || !pick.fits(candidate)) continue;
        pick.take(candidate);
        items.push({ candidate, shown });
      }
    }
  }

  private card(
    store: Store,
    { candidate, shown }: Shown,
    context: Omit<Link, 'kind' | 'campaign' | 'product'> & { selection: Selection },
  ): ShowcaseItem {
    const { selection, ...common } = context;
    const link = { ...common, campaign: candidate.campaign.id, product: candidate.product.id };
    const hash = this.links.sign(store.id, { ...link, kind: 'click' });
    return showcaseItem(shown, store.settings, {
      link: `${this.settings.urls.ads}/click/?hash=${hash}`,
      px: this.px(store, { ...link, kind: 'product' }),
      hasSuperAds: candidate.campaign.superAds === true ? '1' : '0',
      hasRetarget: selection.isFamiliar(candidate.product.id) ? '1' : '0',
    });
  }

  private px(store: Store, link: Link): string {
    return `${this.settings.urls.ads}/v.gif?hash=${this.links.sign(store.id, link)}`;
  }
}

/** The best candidates first. All of them are sorted only where the first ones do not fill the widget. */
function* inOrder(candidates: Candidates, most: number): Generator<Candidate> {
  const size = Math.max(LEAST_ORDERED, most * SPARE);
  const first = candidates.best(size);
  yield* first;
  if (first.length >= size) yield* candidates.best(Infinity).slice(first.length);
}

function firstOf<T>(rest: Iterator<T>, size: number, fits: (item: T) => boolean): T[] {
  const found: T[] = [];
  while (found.length < size) {
    const { done, value } = rest.next();
    if (done) break;
    if (fits(value)) found.push(value);
  }
  return found;
}
