import { Injectable } from '@nestjs/common';
import { type CatalogRecord, CatalogRecords } from '../catalog/records/catalog-records';
import { channelsOf, type ChannelView, recordVersion } from '../catalog/product/channel-view';
import { CatalogWriter, indexLanguage } from '../catalog/indexing/catalog-writer';
import type { Sent } from '../catalog/product/product';
import { problems } from '../catalog/product/to-product';
import { Clock } from '../shared/clock';
import { ApiError } from '../shared/api-error';
import { ID_RULE, isId } from '../shared/ids';
import { type EngineHit, SearchEngine } from '../engine/search-engine';
import { BoostTemplates } from '../stores/boost-templates';
import type { Store } from '../stores/store';
import { type Inspected, type RecordMeta, shownIn, skusIn } from './record-view';

export interface Wanted {
  productId: string;
  skuId?: string;
  /** Absent: the store's default one. */
  salesChannel?: string;
}

interface ShownRecord {
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
    private readonly writer: CatalogWriter,
    private readonly templates: BoostTemplates,
    private readonly clock: Clock,
  ) {}

  /** The product. With `skuId`: with that SKU alone. */
  async product(store: Store, wanted: Wanted): Promise<Inspected> {
    const shown = await this.find(store, wanted);
    const skus = wantedSkus(shown, wanted);
    const { sent } = shown.view;
    return { ...(skus ? { ...sent, skus } : sent), _meta: await this.meta(store, shown) };
  }

  /** One SKU, with the id of its product. */
  async sku(store: Store, wanted: Required<Wanted>): Promise<Inspected> {
    const shown = await this.find(store, wanted);
    const [sku] = wantedSkus(shown, wanted) ?? [{ sku: wanted.skuId }];
    return { ...sku, productId: wanted.productId, _meta: await this.meta(store, shown) };
  }

  private async find(store: Store, wanted: Wanted): Promise<ShownRecord> {
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

  private async meta(store: Store, { record, view, channel }: ShownRecord): Promise<RecordMeta> {
    const hit = await this.hit(store, record.productId, channel);
    const version = recordVersion(record);
    const reasons = view.removed ? ['the product was removed'] : problems(record, channel);
    const current = hit !== undefined && hit.version >= version;
    if (reasons.length === 0 && !current) {
      reasons.push(hit ? 'the index still has an older version' : 'it is not in the index yet');
    }
    const indexedAt = current ? (this.writer.indexedAt(store.id, record.productId, version) ?? view.receivedAt) : null;
    return {
      version: view.version,
      receivedAt: new Date(view.receivedAt).toISOString(),
      indexedAt: indexedAt === null ? null : new Date(indexedAt).toISOString(),
      searchable: hit !== undefined && !view.removed,
      salesChannel: channel,
      problems: reasons,
    };
  }

  /** The index itself is asked, so that the reply says what searches find. */
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

/** All SKUs, or the one that is wanted. Null: the product was sent without any, and searches find it as its own only one. */
function wantedSkus({ record, view }: ShownRecord, { productId, skuId }: Wanted): Sent[] | null {
  const skus = skusIn(record, view);
  if (skuId === undefined || (skus === null && skuId === productId)) return skus;
  const sku = skus?.find((each) => String(each['sku']) === skuId);
  if (sku) return [sku];
  const problem = skus ? `has no SKU "${skuId}"` : `was sent without SKUs, so it has no SKU "${skuId}"`;
  throw unknown('skuId', `The product "${productId}" ${problem}`);
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
