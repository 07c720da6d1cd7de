import type { ProductFeatures } from './features';

/** Kinds of evidence, the strongest first (docs/ranking.md). */
export const EVIDENCE_KINDS = ['transaction', 'cart', 'click', 'product', 'category', 'search'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** What one event of each kind is worth; a bought item is 1. */
export type EvidenceWeights = Readonly<Record<EvidenceKind, number>>;

/** What an event adds to a vector, with the features of its products as they were. Stored as JSON with the event. */
export interface EvidenceEvent {
  /** Order of the log: events aggregate in this order, whatever their times. */
  seq: number;
  /** When it happened, epoch ms; may be earlier than that of an event aggregated before. */
  at: number;
  kind: EvidenceKind;
  /** Of a search: the products it led to. */
  items: { product: ProductFeatures; quantity?: number }[];
  /** Of an event without products (a category view): the features it shows an interest in. */
  features?: string[];
}
