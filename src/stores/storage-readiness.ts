import { Injectable } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { Readiness, type ReadinessCheck } from '../http/health/readiness';
import { Clock } from '../shared/clock';
import { assertWritable } from '../storage/elastic/index-blocks';
import { Storage } from '../storage/storage';

/** The service is ready while its storage answers the read of a document, and takes writes. */
@Injectable()
export class StorageReadiness {
  constructor(documents: Documents, storage: Storage, readiness: Readiness, clock: Clock) {
    const reads: ReadinessCheck = () => documents.get({ store: '*', kind: 'readiness', id: 'probe' });
    storage.choose({
      embedded: () => readiness.add('storage', reads),
      production: ({ elastic }) => {
        const writes: ReadinessCheck = () => assertWritable(elastic, clock.now());
        readiness.add('storage', () => Promise.all([reads(), writes()]));
        const up = { name: 'elasticsearch_up', help: 'Whether Elasticsearch answers a read: 1 or 0.', check: reads };
        const help = 'Whether Elasticsearch takes the writes that every store needs: 1 or 0.';
        readiness.export(up);
        readiness.export({ name: 'elasticsearch_writable', help, check: writes });
      },
    });
  }
}
