import { Archive } from '../storage/archive';
import type { DocumentKey, Documents } from './documents';

export function documentEntry({ store, kind, id }: DocumentKey, json: string) {
  return { type: 'document' as const, store, kind, id, body: JSON.parse(json) as unknown };
}

export function counterEntry({ store, kind, id }: DocumentKey, value: number) {
  return { type: 'counter' as const, store, kind, id, value };
}

/** Stores, tokens, users' attributes, facet ids, the audit list: every document and counter. */
export type DocumentEntry = ReturnType<typeof documentEntry> | ReturnType<typeof counterEntry>;

/** Kinds of documents that stay where they are: jobs, what learning remembers of its log, versions of caches and of facet ids, a day's secret,
 * indices that were made, where stores are in them, what the daily look at catalogs found, how deliveries went, who is signed in to the
 * console. */
const STAYING =
  /^(job[.-].*|learning|changes|facets|import|address-salt|search-(index|place|unsettled|pools)|catalog-health.*|webhook-outcomes|console-code|console-session)$/;

/** Documents and counters: adapters read them, and the port restores them. Their versions begin anew. */
export abstract class DocumentArchive extends Archive<DocumentEntry> {
  override readonly types = ['document', 'counter'] as const;

  constructor(private readonly documents: Documents) {
    super();
  }

  override async *read(): AsyncGenerator<DocumentEntry[]> {
    for await (const page of this.pages()) yield page.filter(({ kind }) => !STAYING.test(kind));
  }

  override async restore(entries: readonly DocumentEntry[]): Promise<void> {
    const puts = entries.flatMap((entry) => {
      if (entry.type !== 'document') return [];
      const { type: _type, ...put } = entry;
      return [put];
    });
    if (puts.length > 0) await this.documents.put(puts);
    for (const entry of entries) {
      if (entry.type !== 'counter') continue;
      const { type: _type, value, ...counter } = entry;
      await this.documents.increment(counter, value - (await this.documents.increment(counter, 0)));
    }
  }

  protected abstract pages(): AsyncGenerator<DocumentEntry[]>;
}
