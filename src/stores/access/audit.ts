import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../shared/clock';
import { Documents } from '../../documents/documents';
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

/** Months to look back at most, so that a list ends on a service with few changes. */
const MONTHS = 36;

/** Who changed what, kept by month. */
@Injectable()
export class Audit {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  async record(entry: Omit<AuditEntry, 'at'>): Promise<void> {
    const at = new Date(this.clock.now()).toISOString();
    // Entries are numbered, since two times may be equal and clocks may go back.
    const number = await this.documents.increment({ store: '*', kind: 'audit', id: 'entries' }, 1);
    const id = String(number).padStart(12, '0');
    await this.documents.put([{ store: '*', kind: kindOf(at), id, body: { at, ...entry } satisfies AuditEntry }]);
  }

  /** Newest first. */
  async list(query: { store?: string; limit: number }): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = [];
    const month = new Date(this.clock.now());
    month.setUTCDate(1);
    for (let step = 0; step < MONTHS && entries.length < query.limit; step += 1) {
      const documents = await this.documents.list<AuditEntry>({ kind: kindOf(month.toISOString()), store: '*' });
      const wanted = documents.map(({ body }) => body).filter((entry) => !query.store || entry.store === query.store);
      entries.push(...wanted.reverse());
      month.setUTCMonth(month.getUTCMonth() - 1);
    }
    return entries.slice(0, query.limit);
  }
}

const kindOf = (at: string): string => `audit:${at.slice(0, 7)}`;
