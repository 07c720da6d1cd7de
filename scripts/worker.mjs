// `npm run worker`: does jobs beside a service on Elasticsearch and Redis; start as many as there is work for.
import { join } from 'node:path';
import { ensure, root } from './ensure.mjs';

ensure();
process.chdir(root);
await import(join(root, 'dist', 'worker.js'));
