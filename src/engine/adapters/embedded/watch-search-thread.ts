import type { Metrics } from '../../../http/health/metrics';
import type { Readiness } from '../../../http/health/readiness';
import type { SearchThread } from './thread/search-thread';

/** The service is not ready while its search thread is started again; metrics count how often it had to be. */
export function watchSearchThread(thread: SearchThread, readiness: Readiness, metrics: Metrics): void {
  readiness.add('storage', async () => thread.check(), { part: 'search thread' });
  const help = 'How often the search thread died and was started again.';
  metrics.gauge('search_thread_restarts', help, () => thread.restarts);
}
