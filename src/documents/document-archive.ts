import { Archive } from '../storage/archive';
import type { Documents } from './documents';

export interface DocumentEntry {
  type: 'document';
  store: string;
  kind: string;
  id: string;
  body: unknown;
}

export interface CounterEntry {
  type: 'counter';
  store: string;
  kind: string;
  id: string;
  value: number;
}

/** Stores, tokens, users' attributes, facet ids, the audit list: every document and counter. Versions begin anew where they are restored. */
export abstract class DocumentArchive extends Archive<DocumentEntry | CounterEntry> {
  override readonly types = ['document', 'counter'] as const;

  protected constructor(private readonly documents: Documents) {
    super();
  }

  override async restore(entries: readonly (DocumentEntry | CounterEntry)[]): Promise<void> {
    const puts = entries.flatMap((entry) => {
      if (entry.type !== 'document') return [];
      const { store, kind, id, body } = entry;
      return [{ store, kind, id, body }];
    });
    if (puts.length > 0) await this.documents.put(puts);
    for (const entry of entries) {
      if (entry.type !== 'counter') continue;
      const { store, kind, id, value } = entry;
      const counter = { store, kind, id };
      await this.documents.increment(counter, value - (await this.documents.increment(counter, 0)));
    }
  }
}

/** Kinds of documents that stay where they are: jobs, what learning remembers of its log, versions of caches. */
const STAYING = /^(job[.-].*|learning|changes|import)$/;

export const staysBehind = ({ kind }: { kind: string }): boolean => STAYING.test(kind);
