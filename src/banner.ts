import type { Settings } from './config/settings';
import type { DemoTour } from './demo/demo.service';
import { MOST_PROCESSES } from './storage/elastic/sequence';

const MOST_WRITE = `which at most ${MOST_PROCESSES} processes write to at once`;

/**
 * What `npm start` prints last: where the service is, a link that signs in to the console once, if there is one, and, with the demo shop, what to
 * paste to see it work.
 */
export function banner(settings: Settings, consoleLink: string | null, demo: DemoTour | null): string {
  const url = settings.urls.public;
  const lines = ['', `  vitrine is at ${url}   (${keeping(settings)})`];
  if (demo) lines.push(`  Demo storefront: ${url}/demo`);
  lines.push(
    `  Console: ${consoleLink ?? `${url}/console`}`,
    consoleLink === null
      ? '  (`vitrine console link` prints a link that signs in)'
      : '  (signs in once, within ten minutes; `vitrine console link` makes another)',
    `  API: ${url}/docs`,
  );
  if (demo) lines.push(...tour(url, demo));
  return `${lines.join('\n')}\n\n`;
}

function keeping({ storage, dataDir, role }: Settings): string {
  if (storage === 'embedded') return `embedded: everything in ${dataDir}`;
  return `on Elasticsearch and Redis, ${MOST_WRITE}${role === 'web' ? '; jobs are left to workers' : ''}`;
}

/** What a worker prints. `url`: where it answers health and metrics. */
export function workerBanner(url: string | null): string {
  const health = url === null ? 'PORT gives it /health and /metrics' : `health: ${url}/health/ready`;
  return `\n  vitrine works on jobs, on Elasticsearch and Redis, ${MOST_WRITE}   (${health})\n\n`;
}

function tour(url: string, { origin, query, shoppers, clickLink }: DemoTour): string[] {
  const search = (userId: string) =>
    `  curl -s -H 'Origin: ${origin}' '${url}/searchapi/v3/queries?terms=${query}&userId=${userId}&resultsPerPage=3&hide=filters&hide=sort&hide=terms'`;
  const [first, second] = shoppers;
  const event = `{"pid":"${first.views}","userId":"${first.userId}"}`;
  return [
    '',
    `  The demo shop answers the same query to two shoppers, ${first.userId} (${first.taste}) and ${second.userId} (${second.taste}):`,
    '',
    search(first.userId),
    search(second.userId),
    '',
    `  Let ${first.userId} look at something else, and ask again: the next answer has changed.`,
    '',
    `  curl -s -H 'Origin: ${origin}' -H 'content-type: application/json' -d '${event}' '${url}/v7/events/views/product'`,
    ...(clickLink === null ? [] : sponsored(url, origin, first.userId, clickLink)),
  ];
}

function sponsored(url: string, origin: string, userId: string, clickLink: string): string[] {
  return [
    '',
    `  Sponsored products for ${userId}, and the link of one of them, which counts its click and leads on to the product:`,
    '',
    `  curl -s -H 'Origin: ${origin}' -H 'X-User-Id: ${userId}' '${url}/v2/showcases?placement=home&widgets=native,3_all'`,
    `  ${clickLink}`,
  ];
}
