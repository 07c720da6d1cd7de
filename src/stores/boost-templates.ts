import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CacheInvalidation } from '../documents/cache-invalidation';
import { type DocumentKey, Documents } from '../documents/documents';
import type { SharedCache } from '../documents/shared-cache';
import type { BoostTemplate } from '../ranking/template/template';
import type { TemplateContext } from '../ranking/template/template-context';
import {
  CompiledTemplate,
  defaultCompiled,
  templateBodySchema,
  templateDocument,
  type TemplateDocument,
} from '../ranking/template/template-document';
import { Mutex } from '../shared/async/mutex';

export interface Activation {
  name: string;
  /** 0: the template that comes with the service. */
  version: number;
  at: string;
  by: string;
}

/** What a store ranks with, and what it ranked with before. */
export interface ActiveTemplate {
  /** The last one serves; those before it are what a roll-back goes back to. */
  activations: Activation[];
  /** Null: the one that comes with the service. */
  document: TemplateDocument | null;
}

export const DEFAULT_NAME = 'default';
const KIND = 'active-template';
const keyOf = (store: string): DocumentKey => ({ store, kind: KIND, id: KIND });

const nothing: ActiveTemplate = { activations: [], document: null };

interface Held {
  active: ActiveTemplate;
  compiled: CompiledTemplate;
  /** Of the document it was read from. */
  version: number;
}

/**
 * The boost template each store ranks with, answered from memory. The one place that decides. A change is durable before it
 * shows, and is answered when every replica ranks with it.
 */
@Injectable()
export class BoostTemplates implements OnModuleInit {
  private readonly logger = new Logger('BoostTemplates');
  private readonly stores = new Map<string, Held>();
  private readonly cache: SharedCache;
  private readonly mutex = new Mutex();

  constructor(
    private readonly documents: Documents,
    invalidation: CacheInvalidation,
  ) {
    this.cache = invalidation.cache('templates', () => this.load());
  }

  async onModuleInit(): Promise<void> {
    await this.cache.open();
  }

  of(storeId: string, context: TemplateContext = {}): BoostTemplate {
    return this.compiled(storeId).of(context);
  }

  /** With all its contexts. The same object until it changes. */
  compiled(storeId: string): CompiledTemplate {
    return this.stores.get(storeId)?.compiled ?? defaultCompiled;
  }

  active(storeId: string): ActiveTemplate {
    return this.stores.get(storeId)?.active ?? nothing;
  }

  /** Changes what a store ranks with. `change` decides on what is newest; null: it stays as it is. */
  async change(
    storeId: string,
    change: (active: ActiveTemplate) => Promise<ActiveTemplate | null>,
  ): Promise<{ before: BoostTemplate; after: BoostTemplate }> {
    const changed = await this.mutex.run(() =>
      this.cache.retryOnConflict(async () => {
        const held = this.stores.get(storeId);
        const before = this.of(storeId);
        const active = await change(held?.active ?? nothing);
        if (!active) return { before, after: before };
        const [version = 0] = await this.cache.put([
          { ...keyOf(storeId), body: active, expectedVersion: held?.version ?? 0 },
        ]);
        this.hold(storeId, active, version);
        return { before, after: this.of(storeId) };
      }),
    );
    await this.cache.seenByAll();
    return changed;
  }

  /** Of a store that was erased. */
  forget(storeId: string): void {
    this.stores.delete(storeId);
  }

  private async load(): Promise<void> {
    const documents = await this.documents.list<ActiveTemplate>({ kind: KIND });
    const gone = new Set(this.stores.keys());
    for (const { store, body, version } of documents) {
      gone.delete(store);
      if (this.stores.get(store)?.version !== version) this.hold(store, body, version);
    }
    for (const store of gone) this.stores.delete(store);
  }

  private hold(store: string, active: ActiveTemplate, version: number): void {
    this.stores.set(store, { active, compiled: this.compile(store, active), version });
  }

  /** Read with the schema: what a later version of the service has added gets its default. */
  private compile(store: string, { document }: ActiveTemplate): CompiledTemplate {
    if (!document) return defaultCompiled;
    const { data, error } = templateBodySchema.safeParse(document);
    if (data) return new CompiledTemplate(templateDocument(data));
    this.logger.error(
      `Store ${store} ranks with the default template: its own, "${document.name}", can't be read: ${error.message}`,
    );
    return defaultCompiled;
  }
}
