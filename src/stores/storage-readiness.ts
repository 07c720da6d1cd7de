import { Injectable } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { Metrics } from '../http/health/metrics';
import { Readiness, type ReadinessCheck } from '../http/health/readiness';
import { Clock } from '../shared/clock';
import { assertWritable } from '../storage/elastic/index-blocks';
import type { EmbeddedDatabase } from '../storage/sqlite/embedded-database';
import { Storage } from '../storage/storage';

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
    const reads: ReadinessCheck = () => documents.get({ store: '*', kind: 'readiness', id: 'probe' });
    readiness.add('storage', reads);
    storage.choose({
      embedded: (database) => this.watch(database),
      production: ({ elastic }) => {
        const writes: ReadinessCheck = () => assertWritable(elastic, clock.now());
        readiness.add('storage', writes, { part: 'writes' });
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
