import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../shared/clock';
import { Documents } from '../../documents/documents';
import type { Store } from '../store';
import { adminRoles } from './admin-tokens';

/** One change somebody made. */
export const auditEntry = z.object({
  at: z.iso.datetime(),
  /** The token it was made with. */
  by: z.object({ jti: z.string(), role: z.enum(adminRoles) }),
  /** `PATCH /admin/stores/:apiKey` */
  action: z.string(),
  /** The store's apiKey; null: the change is about no single store. */
  store: z.string().nullable(),
  /** The values in the route and the query. */
  parameters: z.record(z.string(), z.unknown()),
  /** The body as sent, where it was JSON and small. */
  body: z.unknown().optional(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** An entry as it is kept: `storeId` tells stores apart that had the same apiKey one after the other. */
type StoredEntry = AuditEntry & { storeId?: string };

/** Months to look back at most, so that a list ends on a service with few changes. */
const MONTHS = 36;

/** Who changed what, kept by month. */
@Injectable()
export class Audit {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  /** `store`: the one that was changed, where it was there before. */
  async record(entry: Omit<AuditEntry, 'at'>, store?: Store): Promise<void> {
    const at = new Date(this.clock.now()).toISOString();
    // Entries are numbered, since two times may be equal and clocks may go back.
    const number = await this.documents.increment({ store: '*', kind: 'audit', id: 'entries' }, 1);
    const id = String(number).padStart(12, '0');
    const body: StoredEntry = { at, ...entry, ...(store ? { storeId: store.id } : {}) };
    await this.documents.put([{ store: '*', kind: kindOf(at), id, body }]);
  }

  /** Newest first. `store`: an apiKey. `of`: changes of this store alone, not of one that had its apiKey before. */
  async list(query: { store?: string; of?: Store; limit: number }): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = [];
    const month = new Date(this.clock.now());
    month.setUTCDate(1);
    for (let step = 0; step < MONTHS && entries.length < query.limit; step += 1) {
      const documents = await this.documents.list<StoredEntry>({ kind: kindOf(month.toISOString()), store: '*' });
      const wanted = documents
        .map(({ body }) => body)
        .filter((entry) => !query.store || entry.store === query.store)
        .filter((entry) => !query.of || isOf(entry, query.of));
      entries.push(...wanted.reverse().map(({ storeId: _internal, ...entry }) => entry));
      month.setUTCMonth(month.getUTCMonth() - 1);
    }
    return entries.slice(0, query.limit);
  }
}

/** Entries of before name no store but by its apiKey. */
const isOf = ({ storeId, at }: StoredEntry, { id, createdAt }: Store): boolean =>
  storeId === undefined ? at >= createdAt : storeId === id;

const kindOf = (at: string): string => `audit:${at.slice(0, 7)}`;
