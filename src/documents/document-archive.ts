import { Archive } from '../storage/archive';

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

/** Stores, tokens, users' attributes, facet ids, the audit list: every document and counter. */
export abstract class DocumentArchive extends Archive<DocumentEntry | CounterEntry> {
  override readonly types = ['document', 'counter'] as const;
}

/** Kinds of documents that belong to where they are: jobs, what learning remembers of its log, who was told of changes. */
const STAYING = /^(job[.-].*|learning|changes|import)$/;

export const staysBehind = ({ kind }: { kind: string }): boolean => STAYING.test(kind);
