import { Injectable } from '@nestjs/common';
import { CatalogService } from '../catalog/catalog.service';
import { CatalogRecords } from '../catalog/records/catalog-records';
import { Settings } from '../config/settings';
import { Documents } from '../documents/documents';
import { ApiError } from '../shared/api-error';
import type { Store } from '../stores/store';
import { StoresService } from '../stores/stores.service';
import type { DemoProduct } from './demo-catalog';
import { DemoWorld } from './demo-world';

type Sent = Readonly<Record<string, unknown>>;

const BATCH = 500;

/** The demo shop's links lead to where the service is: `PUBLIC_URL` may have changed since they were made. */
@Injectable()
export class DemoAddress {
  constructor(
    private readonly stores: StoresService,
    private readonly catalog: CatalogService,
    private readonly records: CatalogRecords,
    private readonly documents: Documents,
    private readonly settings: Settings,
    private readonly world: DemoWorld,
  ) {}

  /** The storefront's first page. */
  get home(): string {
    return `${this.settings.urls.public}/demo/`;
  }

  /** Changes nothing but links of this shop's own pages: what somebody has changed or removed by hand stays so. */
  async follow(store: Store, signal: AbortSignal | undefined): Promise<void> {
    await this.letOwnPagesIn(store);
    const key = { store: store.id, kind: 'demo', id: 'address' };
    const url = this.settings.urls.public;
    if ((await this.documents.get<{ url: string }>(key))?.body.url === url) return;
    const products = this.world.products();
    for (let from = 0; from < products.length; from += BATCH) {
      signal?.throwIfAborted();
      await this.move(store, products.slice(from, from + BATCH));
    }
    const { homeUrl } = store.settings;
    const home = homeUrl === null ? null : movedTo(this.home, homeUrl);
    if (home !== homeUrl) await this.stores.update(store.id, { settings: { homeUrl: home } });
    await this.documents.put([{ ...key, body: { url } }]);
  }

  /** The storefront's pages are where the service is, which may have moved. A host that another store has is left to it. */
  private async letOwnPagesIn({ id, origins }: Store): Promise<void> {
    const { hostname, origin } = new URL(this.settings.urls.public);
    if (this.stores.byOrigin(origin)) return;
    await this.stores.setOrigins(id, [...origins, hostname]).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }

  private async move(store: Store, made: readonly DemoProduct[]): Promise<void> {
    const ids = made.map(({ id }) => id);
    const known = await this.records.read(store.id, ids);
    const products = made.flatMap(({ id, sent }, index) => {
      const before = known[index]?.base?.sent;
      const after = before ? moved(before, sent) : null;
      return after === null ? [] : [{ ...after, id }];
    });
    if (products.length > 0) await this.catalog.putMany(store, { products });
  }
}

/** The product with the links of the one that would be made now; null where that changes nothing. */
function moved(before: Sent, made: Sent): Sent | null {
  const url = movedTo(made['url'], before['url']);
  const [images, madeImages] = [Object(before['images']) as Sent, Object(made['images']) as Sent];
  const picture = movedTo(madeImages['default'], images['default']);
  if (url === before['url'] && picture === images['default']) return null;
  return { ...before, url, images: { ...images, default: picture } };
}

/** `made` where the address differs from it by where the service was alone. */
function movedTo<T>(made: unknown, before: T): T {
  if (typeof made !== 'string' || typeof before !== 'string') return before;
  const path = made.slice(made.indexOf('/demo/'));
  return before.endsWith(path) && URL.canParse(before) ? (made as T) : before;
}
