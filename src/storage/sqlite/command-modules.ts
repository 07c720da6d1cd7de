import { compiled } from '../threads';

/** Every module of writer commands that the writer thread loads, one per embedded adapter. */
export function commandModules(): string[] {
  return [
    'documents/adapters/embedded/documents.commands',
    'jobs/adapters/embedded/jobs.commands',
    'catalog/records/adapters/embedded/catalog-records.commands',
    'behaviour/events/adapters/embedded/event-log.commands',
    'behaviour/profiles/adapters/embedded/profiles.commands',
    'behaviour/learning/adapters/embedded/learned-stats.commands',
    'engine/adapters/embedded/index/engine.commands',
    'search/terms/adapters/embedded/query-terms.commands',
    'search/log/adapters/embedded/search-log.commands',
    'showcase/ledger/adapters/embedded/click-ledger.commands',
  ].map(compiled);
}
