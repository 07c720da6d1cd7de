import type { BenchRequest } from './load/connection';
import { Recorder } from './recorder';
import type { BenchShop } from './shop';

/** What the service asks of Elasticsearch for a search. */
export interface RecordedSearch {
  path: string;
  asked: BenchRequest[];
}

/**
 * Asks a second replica, whose requests are recorded: the measured one has nothing in between. It keeps no hits, so that it asks for each
 * search what a query written by hand would ask: match, `function_score`, facets.
 */
export async function recordSearches(shop: BenchShop, paths: readonly string[]): Promise<RecordedSearch[]> {
  const url = shop.storage.elasticsearchUrl;
  if (url === null) throw new Error('There is no engine beside the embedded one');
  const recorder = await Recorder.start(url);
  try {
    const replica = await shop.replica({ ELASTICSEARCH_URL: recorder.url, KEPT_SEARCHES_MB: '0' });
    try {
      const recorded: RecordedSearch[] = [];
      for (const path of paths) {
        recorder.take();
        const reply = await fetch(`http://127.0.0.1:${replica.port}${path}`, { headers: shop.target.headers });
        if (!reply.ok) throw new Error(`${path}: the service answered ${reply.status} ${await reply.text()}`);
        await reply.arrayBuffer();
        recorded.push({ path, asked: recorder.take() });
      }
      return recorded;
    } finally {
      await replica.stop();
    }
  } finally {
    recorder.close();
  }
}
