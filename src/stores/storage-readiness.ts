import { Injectable } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { Readiness, type ReadinessCheck } from '../http/health/readiness';
import { Storage } from '../storage/storage';

/** The service is ready while its storage answers the read of a document. */
@Injectable()
export class StorageReadiness {
  constructor(documents: Documents, storage: Storage, readiness: Readiness) {
    const check: ReadinessCheck = () => documents.get({ store: '*', kind: 'readiness', id: 'probe' });
    readiness.add('storage', check);
    storage.choose({
      embedded: () => undefined,
      production: () =>
        readiness.export({ name: 'elasticsearch_up', help: 'Whether Elasticsearch answers a read: 1 or 0.', check }),
    });
  }
}
