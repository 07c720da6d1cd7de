import { Injectable } from '@nestjs/common';
import { type CatalogRecord, CatalogRecords } from '../catalog/records/catalog-records';
import { channelsOf, type ChannelView, recordVersion } from '../catalog/product/channel-view';
import { indexLanguage } from '../catalog/indexing/catalog-writer';
import { IndexTimes } from '../catalog/indexing/index-times';
import { problems } from '../catalog/product/to-product';
import { Clock } from '../shared/clock';
import { ApiError } from '../shared/api-error';
import { ID_RULE, isId } from '../shared/ids';
import { type EngineHit, SearchEngine } from '../engine/search-engine';
import { BoostTemplates } from '../stores/boost-templates';
import type { Store } from '../stores/store';
import { type Inspected, type RecordMeta, shownIn, skuById, skusIn } from './record-view';

export interface Wanted {
  productId: string;
  skuId?: string;
  /** Absent: the store's default one. */
  salesChannel?: string;
}

interface Found {
  record: CatalogRecord;
  view: ChannelView;
  channel: string;
}

/** What a store sent, as it is in a sales channel, and what became of it (contract 6). 400 invalid_id, 404 not_found, 503. */
@Injectable()
export class InspectionService {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly times: IndexTimes,
    private readonly templates: BoostTemplates,
    private readonly clock: Clock,
  ) {}

  /** The product, with `skuId` with that SKU alone. */
  async product(store: Store, wanted: Wanted): Promise<Inspected> {
    const found = await this.find(store, wanted);
    const skus = skusIn(found.record, found.view);
    const { sent } = found.view;
    const shown = skus === null ? sent : { ...sent, skus: narrowed(skus, wanted) };
    if (skus === null && wanted.skuId !== undefined) productAsSku(wanted);
    return { ...shown, _meta: await this.meta(store, found) };
  }

  /** One SKU, with the id of its product. */
  async sku(store: Store, wanted: Required<Wanted>): Promise<Inspected> {
    const found = await this.find(store, wanted);
    const skus = skusIn(found.record, found.view);
    const [sku] = skus === null ? [productAsSku(wanted)] : narrowed(skus, wanted);
    return { ...sku, productId: wanted.productId, _meta: await this.meta(store, found) };
  }

  private async find(store: Store, wanted: Wanted): Promise<Found> {
    const { productId, salesChannel: channel = store.settings.defaultSalesChannel } = wanted;
    checkIds(wanted);
    const [record] = await this.records.read(store.id, [productId]);
    if (!(await this.isKnown(store, record ?? null, channel))) {
      throw unknown('salesChannel', `There is no sales channel "${channel}": no product names it`);
    }
    if (!record) throw unknown('productId', `There is no product "${productId}"`);
    const view = shownIn(record, channel);
    if (view) return { record, view, channel };
    throw unknown('productId', `The product "${productId}" is not in the sales channel "${channel}"`);
  }

  /** A channel is known if it is the default one, or any product names it. */
  private async isKnown(store: Store, record: CatalogRecord | null, channel: string): Promise<boolean> {
    if (channel === store.settings.defaultSalesChannel) return true;
    if (record && channelsOf(record).includes(channel)) return true;
    return (await this.records.channels(store.id)).includes(channel);
  }

  private async meta(store: Store, { record, view, channel }: Found): Promise<RecordMeta> {
    const hit = await this.hit(store, record.productId, channel);
    const version = recordVersion(record);
    const reasons = view.removed ? ['the product was removed'] : problems(record, channel);
    const current = hit !== undefined && hit.version >= version;
    if (reasons.length === 0 && !current) {
      reasons.push(hit ? 'the index still has an older version' : 'it is not in the index yet');
    }
    const indexedAt = current ? (this.times.of(store.id, record.productId, version) ?? view.receivedAt) : null;
    return {
      version: view.version,
      receivedAt: new Date(view.receivedAt).toISOString(),
      indexedAt: indexedAt === null ? null : new Date(indexedAt).toISOString(),
      searchable: hit !== undefined && !view.removed,
      salesChannel: channel,
      problems: reasons,
    };
  }

  /** Asked of the index itself, so that what is said here is what searches find. */
  private async hit(store: Store, productId: string, channel: string): Promise<EngineHit | undefined> {
    const plan = {
      store: store.id,
      channels: [channel],
      language: indexLanguage(store),
      match: { kind: 'ids' as const, ids: [productId] },
      filters: [],
      availableOnly: false,
      sortBy: 'relevance' as const,
      from: 0,
      size: 1,
      facets: [],
      now: this.clock.now(),
    };
    const template = this.templates.of(store.id);
    const { hits } = await this.engine.search({ plan, template, boosts: null, explain: false });
    return hits[0];
  }
}

/** All SKUs, or the one that is wanted. 404 where the product has no such SKU. */
function narrowed<T extends Readonly<Record<string, unknown>>>(skus: T[], { productId, skuId }: Wanted): T[] {
  if (skuId === undefined) return skus;
  const sku = skuById(skus, skuId) as T | undefined;
  if (sku) return [sku];
  throw unknown('skuId', `The product "${productId}" has no SKU "${skuId}"`);
}

/** A product that was sent without SKUs is found in searches as its own only one. */
function productAsSku({ productId, skuId = '' }: Wanted): { sku: string } {
  if (skuId === productId) return { sku: skuId };
  throw unknown('skuId', `The product "${productId}" was sent without SKUs, so it has no SKU "${skuId}"`);
}

function checkIds(wanted: Wanted): void {
  for (const [path, id] of Object.entries(wanted)) {
    if (isId(id)) continue;
    throw new ApiError('invalid_id', `${path}: an id is ${ID_RULE}`, { details: [{ path, message: ID_RULE }] });
  }
}

function unknown(path: keyof Wanted, message: string): ApiError {
  return new ApiError('not_found', message, { details: [{ path, message }] });
}
