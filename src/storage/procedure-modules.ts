import { compiled } from './threads';

/** Every module of procedures that the writer thread loads, one per embedded adapter. */
export function procedureModules(): string[] {
  const at = (folder: string, name: string): string => compiled(`${folder}/adapters/embedded/${name}.procedures`);
  return [
    at('documents', 'documents'),
    at('jobs', 'jobs'),
    at('catalog', 'catalog-records'),
    at('behaviour/events', 'event-log'),
    at('behaviour/profiles', 'profiles'),
    at('behaviour/learning', 'learned-stats'),
    at('search/engine', 'engine'),
    at('search/query', 'query-terms'),
    at('showcase/clicks', 'click-ledger'),
  ];
}
