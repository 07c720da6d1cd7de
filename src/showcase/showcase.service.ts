import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { Clock } from '../shared/clock';
import { Settings } from '../config/settings';
import type { Store } from '../stores/store';
import { type Link, LinkTokens } from './links/link-tokens';
import { type ShowcaseParameters, widgetsOf } from './parameters';
import type { ShowcaseItem, ShowcaseReply } from './reply/reply-schemas';
import { showcaseItem } from './reply/showcase-item';
import { shownIn, type ShownProduct } from './reply/shown-product';
import type { Candidates } from './selection/candidates';
import { type Candidate, WidgetPick, type WidgetRequest } from './selection/pick';
import { type Selection, SelectionService, type Shopper } from './selection/selection.service';

/** Largest part of a widget that may be of one brand, unless the store says otherwise. */
const BRAND_SHARE = 0.5;
/** Candidates that are put in order for each card: some are of a brand that has its share already, some have just gone. */
const SPARE = 8;
const LEAST_ORDERED = 200;

interface WidgetCall {
  store: Store;
  channel: string;
  widget: WidgetRequest;
  /** Ids of products that the reply shows already. */
  taken: Set<string>;
  candidates: Candidates;
}

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
      const items = await this.itemsOf({ store, channel, widget, taken, candidates: selection.candidates });
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
      data.push({ widget: widget.text, px: this.px(store, whole), data: cards });
    }
    return { v: 2, data };
  }

  /** Products are chosen from memory and looked up before they are shown: one may have been sold out or repriced meanwhile. */
  private async itemsOf({ store, channel, widget, taken, candidates }: WidgetCall): Promise<Shown[]> {
    const pick = new WidgetPick(widget, store.settings.showcase?.brandShare ?? BRAND_SHARE, taken);
    const items: Shown[] = [];
    const gone = new Set<string>();
    const mayFit = (candidate: Candidate): boolean => pick.fits(candidate) && !gone.has(candidate.product.id);
    for (const rest = inOrder(candidates, widget.most); ;) {
      const batch = firstOf(rest, pick.left, mayFit);
      if (batch.length === 0) return items;
      const ids = batch.map(({ product }) => product.id);
      const records = await this.records.read(store.id, ids);
      batch.forEach((candidate, index) => {
        const shown = shownIn(records[index] ?? null, channel);
        if (!shown) gone.add(candidate.product.id);
        else if (pick.fits(candidate)) {
          pick.take(candidate);
          items.push({ candidate, shown });
        }
      });
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
    return showcaseItem(shown, {
      settings: store.settings,
      link: `${this.settings.urls.ads}/click/?hash=${hash}`,
      px: this.px(store, { ...link, kind: 'product' }),
      superAds: candidate.campaign.superAds === true,
      retarget: selection.isFamiliar(candidate.product.id),
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
