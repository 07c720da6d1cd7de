import { Injectable } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { Metrics } from '../http/health/metrics';
import { Readiness, type ReadinessCheck } from '../http/health/readiness';
import { ApiError } from '../shared/api-error';
import { Clock } from '../shared/clock';
import { refusalOf } from '../storage/elastic/elastic-error';
import { assertWritable } from '../storage/elastic/index-blocks';
import { type RefusalKind, REFUSALS, type Refusals } from '../storage/elastic/refusals';
import type { EmbeddedDatabase } from '../storage/sqlite/embedded-database';
import { Storage } from '../storage/storage';

/** A cluster whose memory is full refuses some requests and answers others: it is told for as long after the last one. Milliseconds. */
const TOLD_FOR_MS = 10_000;
/** Whose errors name the index. */
const BY_NAME: ReadonlySet<RefusalKind> = new Set(['index_lost', 'index_unreadable', 'alien_index']);

/** The service is ready while its storage answers the read of a document, and takes writes. */
@Injectable()
export class StorageReadiness {
  constructor(
    documents: Documents,
    storage: Storage,
    clock: Clock,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {
    const reads = sayingWhy(() => documents.get({ store: '*', kind: 'readiness', id: 'probe' }));
    readiness.add('storage', reads);
    storage.choose({
      embedded: (database) => this.watch(database),
      production: ({ elastic }) => {
        const writes = sayingWhy(() => assertWritable(elastic, clock.now()));
        readiness.add('storage', writes, { part: 'writes' });
        // What still works does: a replica that is taken out of service for it would make the others' share larger.
        readiness.add('storage', () => assertNotFull(elastic.refusals), { part: 'memory', needed: false });
        const up = { name: 'elasticsearch_up', help: 'Whether Elasticsearch answers a read: 1 or 0.', check: reads };
        const help = 'Whether Elasticsearch takes the writes that every store needs: 1 or 0.';
        readiness.export(up);
        readiness.export({ name: 'elasticsearch_writable', help, check: writes });
      },
    });
  }

  private watch({ writer }: EmbeddedDatabase): void {
    const check: ReadinessCheck = () => writer.health.check();
    this.readiness.add('storage', check, { part: 'writes' });
    this.readiness.export({ name: 'database_up', help: 'Whether the embedded database takes a write: 1 or 0.', check });
    const help = 'How often the thread that writes the embedded database died and was started again.';
    this.metrics.gauge('writer_thread_restarts', help, () => writer.restarts);
  }
}

/** The check, whose failure says what the cluster refused it for, where it did. */
function sayingWhy(check: ReadinessCheck): ReadinessCheck {
  return async () => {
    try {
      await check();
    } catch (error) {
      const kind = refusalOf(error)?.refusal;
      throw kind === undefined || BY_NAME.has(kind) ? error : refused(kind, error);
    }
  };
}

async function assertNotFull(refusals: Refusals): Promise<void> {
  if (refusals.since('overloaded') < TOLD_FOR_MS) throw refused('overloaded');
}

function refused(kind: RefusalKind, cause?: unknown): ApiError {
  return new ApiError('unavailable', `Elasticsearch refuses requests (${kind}): ${REFUSALS[kind]}`, { cause });
}
