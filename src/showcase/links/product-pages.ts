import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { viewIn } from '../../catalog/product/channel-view';
import { textOf } from '../../catalog/product/sent-values';
import { Settings } from '../../config/settings';
import { parseEntry } from '../../stores/access/origins';
import type { Store } from '../../stores/store';

/** Where a click leads: always to a page that the store has named, never to one of the caller's. */
@Injectable()
export class ProductPages {
  constructor(
    private readonly records: CatalogRecords,
    private readonly settings: Settings,
  ) {}

  /** The product's current page. The store's home where the product has gone, or its address is not one of the web. */
  async addressOf(store: Store, product: string, channel: string): Promise<string> {
    const [record] = await this.records.read(store.id, [product]);
    const view = record ? (viewIn(record, channel) ?? viewIn(record, null)) : null;
    const home = this.homeOf(store);
    if (!view || view.removed) return home;
    return webAddress(textOf(view.sent['url']), home) ?? home;
  }

  /** The setting `homeUrl`; else the first host the store has whitelisted. */
  private homeOf({ settings, origins }: Store): string {
    if (settings.homeUrl !== null) return settings.homeUrl;
    const entry = parseEntry(origins[0] ?? '');
    return typeof entry === 'string' ? `${this.settings.urls.public}/` : `https://${entry.host}/`;
  }
}

/** Relative addresses start at the store's home. */
function webAddress(url: string | null, home: string): string | null {
  if (url === null || !URL.canParse(url, home)) return null;
  const address = new URL(url, home);
  return /^https?:$/.test(address.protocol) ? address.href : null;
}
